export { freePort } from './free-port.ts';
export { answerParent, Child, endWithParent, settingsText } from './child.ts';
export { ServiceChild, type ServiceSettings } from './service-child.ts';
