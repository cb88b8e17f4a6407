import { answerParent, settingsText } from '@malote/child-process';
import { type BudgetReport } from './budget.ts';
import { openHttp, startEngine } from './engine.ts';
import { LaneFile } from './lane-file.ts';

const SAMPLE_MS = 5;

const { folder } = JSON.parse(settingsText()) as { readonly folder: string };
const { uow } = LaneFile.open(folder);
await uow.read((tx) => tx.query('SELECT 1'));
const rssBefore = process.memoryUsage.rss();
let report: BudgetReport = { rows: 0, bytes: 0, rssBefore, rssMost: rssBefore };

// There is never more in hand than right after a claim.
const engine = startEngine(uow, openHttp(), { observer: { claimed: sample } });

function sample(): void {
  const { rows, bytes } = engine.budget.inHand;
  report = {
    rssBefore,
    rows: Math.max(report.rows, rows),
    bytes: Math.max(report.bytes, bytes),
    rssMost: Math.max(report.rssMost, process.memoryUsage.rss()),
  };
}

setInterval(sample, SAMPLE_MS);
answerParent('ready', () => report);
