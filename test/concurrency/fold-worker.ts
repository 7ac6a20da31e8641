import {writeSync} from 'node:fs';
import {openSqliteStore} from '../../src/sqlite.ts';
import {model, ScriptedModel} from '../../src/testing.ts';
import {chat, folding} from '../manager/fold-rig.ts';
import {contextFor, requestOf} from '../support/manager-harness.ts';

// One call that folds; its summariser answers when it is told to. Says what it sends and what it reported.
const [path = '', name = ''] = process.argv.slice(2);
const told = new Promise<void>((done) => process.once('message', () => done()));
const store = openSqliteStore(path);
const summarizer = new ScriptedModel(async () => {
  say('asked');
  await told;
  return model(`summary by ${name}`);
});
let reports = 0;
const onFold = (): void => {
  reports += 1;
};
const harness = folding({summarizer, onFold}, store.compaction);
const request = requestOf(chat(10));
await harness.manager.beforeModel({context: contextFor(), request});
say({sent: JSON.stringify(request.contents), reports, records: harness.kinds(), warnings: harness.codes()});
await harness.manager.close();
store.close();
process.disconnect();

function say(line: unknown): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}
