export { answerParent, Child, endWithParent, settingsText } from './child.ts';
