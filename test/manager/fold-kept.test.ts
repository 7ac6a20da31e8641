import type {Content} from '@google/genai';
import {describe, expect, it} from 'vitest';
import {estimateRequest, MemoryCompactionStore} from '../../src/index.ts';
import {answer, call, model, together, user} from '../../src/testing.ts';
import {KEY, requestOf} from '../support/manager-harness.ts';
import {chat, faults, folding, materialOf, summarizer, summaryText, textOf, turnOf} from './fold-rig.ts';

const rules = user('the rules: never touch /etc');
const isRules = (content: Content): boolean => textOf(content).startsWith('the rules');

const tokensOf = (contents: Content[]): number => estimateRequest(requestOf(contents), {media: 'modality'}).tokens;

/** Tool steps of about 70 tokens each. */
function steps(count: number, name = 'read', from = 0): Content[] {
  return Array.from({length: count}, (_, step) => [
    call(name, {path: `${name}/${from + step}`}),
    answer(name, {text: `${name} body ${from + step} ${'x'.repeat(200)}`}),
  ]).flat();
}

describe('pins', () => {
  it('stand once, whole, after the summary, are read by the summariser, and survive a restart and a refold', async () => {
    const store = new MemoryCompactionStore();
    const writer = summarizer('FIRST', 'SECOND');
    const harness = folding({summarizer: writer, pin: isRules}, store);
    const history = [...turnOf(0), rules, model('ok'), ...chat(10, 'now', 1)];
    const out = await harness.contents(history);
    expect(out.slice(0, 2)).toEqual([user(summaryText('FIRST')), rules]);
    expect(materialOf(writer)).toContain('never touch /etc');
    expect(harness.records[0]).toMatchObject({kind: 'fold', pinned: [2]});
    expect(JSON.stringify(harness.records)).not.toContain('/etc');

    const restarted = folding({summarizer: writer, pin: isRules}, store);
    expect(JSON.stringify(await restarted.contents(history))).toBe(JSON.stringify(out));
    const longer = [...history.slice(0, -1), ...chat(10, 'then', 11)];
    const refolded = await restarted.contents(longer);
    expect(refolded.slice(0, 2)).toEqual([user(summaryText('SECOND')), rules]);
    expect(refolded.filter(isRules)).toHaveLength(1);
    expect(materialOf(writer).split('never touch /etc')).toHaveLength(2);
  });

  it('are gone after the next fold when the predicate no longer matches', async () => {
    const store = new MemoryCompactionStore();
    const history = [...turnOf(0), rules, model('ok'), ...chat(10, 'now', 1)];
    await folding({summarizer: summarizer('FIRST'), pin: isRules}, store).contents(history);
    const writer = summarizer('SECOND');
    const out = await folding({summarizer: writer}, store).contents([...history.slice(0, -1), ...chat(10, 'then', 11)]);
    expect(out.some(isRules)).toBe(false);
    expect(materialOf(writer)).toContain('never touch /etc');
  });

  it('32: pinning everything is refused by the second guard, as too large, and is not asked again at once', async () => {
    const writer = summarizer('S');
    const harness = folding({summarizer: writer, pin: () => true});
    const history = chat(10);
    expect(await harness.contents(history)).toEqual(history);
    expect(harness.records).toMatchObject([{kind: 'failed-fold', errorClass: 'too-large', attempts: 1}]);
    expect(await harness.contents(history)).toEqual(history);
    expect(writer.requests).toHaveLength(1);
  });

  it('are neither elided nor dropped, with the other half of their pair', async () => {
    const harness = folding({summarizer: summarizer({kind: 'error', status: 503}), pin: isRules});
    const pinnedTurn = [rules, ...steps(3), model('done')];
    const pinnedAnswer = [
      user('a question'),
      call('read', {a: 1}),
      answer('read', {text: `the rules ${'r'.repeat(900)}`}),
    ];
    const byAnswer = (content: Content): boolean =>
      isRules(content) ||
      content.parts?.[0]?.functionResponse?.response?.text ===
        pinnedAnswer[2]?.parts?.[0]?.functionResponse?.response?.text;
    const history = [...turnOf(0), ...pinnedTurn, ...chat(8, 'now', 1)];
    const out = await harness.contents(history);
    expect(harness.kinds()).toContain('drop');
    expect(out.slice(0, -1).filter(isRules)).toEqual([rules]);

    const pairing = folding({summarizer: summarizer('S'), pin: byAnswer});
    const paired = [...turnOf(0), ...pinnedAnswer, model('done'), ...chat(9, 'now', 1)];
    const folded = await pairing.contents(paired);
    expect(folded.slice(1, 3)).toEqual(pinnedAnswer.slice(1));
    expect(faults(paired, folded)).toEqual([]);
  });
});

describe('stickiness', () => {
  it('a pinned answer stays whole when a later one with the same body was elided, also after a restart', async () => {
    const store = new MemoryCompactionStore();
    const same = answer('read', {text: 'the same body '.repeat(20)});
    const marked: Content = {...same, parts: [...(same.parts ?? []), {text: 'keep this'}]};
    const history = [user('start'), call('read', {n: 1}), marked, call('read', {n: 2}), same, ...chat(8)];
    const pin = (content: Content): boolean => textOf(content) === 'keep this';
    const fold = {summarizer: summarizer({kind: 'error', status: 503}), pin};
    const harness = folding(fold, store);
    const out = await harness.contents(history);
    expect(out[2]).toEqual(marked);
    expect(JSON.stringify(out[4])).toContain('[elided]');
    expect(await harness.contents(history)).toEqual(out);
    expect(await folding(fold, store).contents(history)).toEqual(out);
  });

  it('what was elided in a content that a preserved tool pins stays elided beside the summary', async () => {
    const both = together(call('read', {n: 1}), call('plan', {n: 2}));
    const answers = together(answer('read', {text: 'long body '.repeat(80)}), answer('plan', {text: 'the plan'}));
    const harness = folding({summarizer: summarizer('S')}, undefined, {
      preserveToolNames: ['plan'],
      targetFraction: 0.84,
    });
    const early = [...turnOf(0), user('plan it'), both, answers, model('done'), ...chat(5, 'now', 1)];
    const out = await harness.contents(early);
    expect(harness.kinds()).toEqual(['elision']);
    const elided = out.find((content) => JSON.stringify(content).includes('[elided]'));
    const later = [...early.slice(0, -1), ...chat(8, 'then', 6)];
    const folded = await harness.contents(later);
    expect(harness.kinds()).toEqual(['elision', 'fold']);
    expect(textOf(folded[0])).toBe(summaryText('S'));
    expect(elided).toBeDefined();
    expect(folded[2]).toEqual(elided);
    expect(faults(later, folded)).toEqual([]);
    expect((await harness.manager.status(KEY)).scopes[0]?.estimate).toBe(tokensOf(folded));
  });
});

describe('preserved tools', () => {
  it('are pinned with their pair, parallel calls of other tools included', async () => {
    const both = together(call('read', {n: 1}), call('plan', {n: 2}));
    const answers = [answer('read', {text: 'r'}), answer('plan', {text: 'the plan'})];
    const history = [...turnOf(0), user('plan it'), both, ...answers, model('done'), ...chat(9, 'now', 1)];
    const harness = folding({summarizer: summarizer('S')}, undefined, {preserveToolNames: ['plan']});
    const out = await harness.contents(history);
    expect(out.slice(1, 4)).toEqual([both, ...answers]);
    expect(faults(history, out)).toEqual([]);
    expect(harness.records[0]).toMatchObject({kind: 'fold', pinned: [3, 4, 5]});
  });
});

describe('the live turn', () => {
  const question = user('do the long job, and keep the numbers');
  const job = (count: number): Content[] => [...chat(2).slice(0, -1), question, ...steps(count)];

  it('may be entered by the split; its user content then stands once, is not read and not folded', async () => {
    const writer = summarizer('S');
    const harness = folding({summarizer: writer}, undefined, {minimumElisionTokens: 1_000});
    const history = job(14);
    const out = await harness.contents(history, {userContent: question});
    expect(out.slice(0, 2)).toEqual([user(summaryText('S')), question]);
    expect(materialOf(writer)).not.toContain('do the long job');
    expect(faults(history, out)).toEqual([]);
    expect(out.filter((content) => textOf(content) === textOf(question))).toHaveLength(1);
  });

  it('is not read at the next fold either while it is live, and is when it is not', async () => {
    const writer = summarizer('FIRST', 'SECOND', 'THIRD');
    const harness = folding({summarizer: writer}, undefined, {minimumElisionTokens: 1_000});
    await harness.contents(job(14), {userContent: question});
    const longer = job(28);
    const out = await harness.contents(longer, {userContent: question});
    expect(writer.requests).toHaveLength(2);
    expect(materialOf(writer)).not.toContain('do the long job');
    expect(out.slice(0, 2)).toEqual([user(summaryText('SECOND')), question]);

    const next = user('thanks, and now?');
    const later = [...longer, model('all done'), ...chat(9, '', 20).slice(0, -1), next];
    const after = await harness.contents(later, {userContent: next});
    expect(writer.requests).toHaveLength(3);
    expect(materialOf(writer)).toContain('do the long job');
    expect(after.some((content) => textOf(content) === textOf(question))).toBe(false);
    expect(faults(later, after)).toEqual([]);
  });

  it("is found by the invocation's own content: another agent's words after it are no user's", async () => {
    const foreign = user([{text: 'For context:'}, {text: '[other] said: hello'}]);
    const writer = summarizer('S');
    const history = [...chat(2).slice(0, -1), question, foreign, ...steps(14)];
    const harness = folding({summarizer: writer}, undefined, {minimumElisionTokens: 1_000});
    const out = await harness.contents(history, {userContent: question});
    expect(out.slice(0, 2)).toEqual([user(summaryText('S')), question]);
    expect(materialOf(writer)).toContain('[other] said: hello');
  });

  it('a fold that would hide what is live now is left out of the choice, and kept', async () => {
    const writer = summarizer('S', 'T');
    const harness = folding({summarizer: writer}, undefined, {contextTokens: 1_200});
    const history = chat(10);
    const out = await harness.contents(history);
    const live = history[4] as Content;
    const whole = await harness.contents(history, {userContent: live});
    expect(whole.filter((content) => textOf(content) === textOf(live))).toHaveLength(1);
    expect(await harness.contents(history)).toEqual(out);
  });

  it('a call that nothing answers yet holds the split back; an older one folds with its turn', async () => {
    const writer = summarizer('S');
    const policy = {repairOrphans: false, minimumElisionTokens: 1_000};
    const harness = folding({summarizer: writer, keepLast: 1}, undefined, policy);
    const open = call('export', {n: 1}, 'c1');
    const waiting = [...chat(9).slice(0, -1), question, open, user('still there?')];
    const out = await harness.contents(waiting, {userContent: question});
    expect(out.slice(-2)).toEqual([open, user('still there?')]);
    const older = [...turnOf(0), user('export'), open, ...chat(10, 'now', 1)];
    const folded = await harness.contents(older, {key: {...KEY, sessionId: 's2'}});
    expect(JSON.stringify(folded)).not.toContain('export');
  });

  it('the final answer of a long-running call makes the fold of the pending one not match', async () => {
    const writer = summarizer('PENDING', 'FINAL');
    const harness = folding({summarizer: writer});
    const history = (response: Record<string, unknown>): Content[] => [
      user('export it'),
      call('export', {n: 1}, 'c1'),
      answer('export', response, 'c1'),
      ...chat(10),
    ];
    await harness.contents(history({status: 'pending'}));
    const done = history({status: 'done'});
    const out = await harness.contents(done);
    expect(textOf(out[0])).toBe(summaryText('FINAL'));
    expect(textOf((await harness.contents(history({status: 'pending'})))[0])).toBe(summaryText('PENDING'));
    expect(writer.requests).toHaveLength(2);
  });
});

describe('the split', () => {
  it('keeps a call with its answers when the cut falls between parallel answers', async () => {
    const harness = folding({summarizer: summarizer('S'), keepLast: 2}, undefined, {minimumElisionTokens: 1_000});
    const parallel = [together(call('w', {c: 'x'}), call('w', {c: 'y'})), answer('w', {c: 'x'}), answer('w', {c: 'y'})];
    const history = [...chat(10, 'both'), ...parallel];
    const out = await harness.contents(history);
    expect(out.slice(-3)).toEqual(parallel);
    expect(faults(history, out)).toEqual([]);
  });

  it('moves to the start of a dropped turn it would fall into; the summariser reads turns dropped before it', async () => {
    const store = new MemoryCompactionStore();
    const failing = folding({summarizer: summarizer({kind: 'error', status: 503})}, store);
    const history = [...turnOf(0), user('tools'), ...steps(12), model('done'), ...chat(3, 'now', 1)];
    await failing.contents(history);
    expect(failing.records.at(-1)).toMatchObject({kind: 'drop', covers: [{index: 2}]});

    const writer = summarizer('S');
    const inside = folding({summarizer: writer, keepLast: 20, backOff: false, minFold: 0}, store);
    inside.manager.compactNow(KEY);
    const out = await inside.contents(history);
    expect(inside.records).toMatchObject([{kind: 'fold', split: 2}]);
    expect(JSON.stringify(out)).not.toContain('read body 3');
    expect(faults(history, out)).toEqual([]);

    const after = folding({summarizer: writer, keepLast: 3, backOff: false, minFold: 0}, store);
    after.manager.compactNow(KEY);
    await after.contents(history);
    expect(materialOf(writer)).toContain('read body 3');
  });
});

describe('the minimum', () => {
  it('a kept window that is too large does not buy a summary on every call', async () => {
    const writer = summarizer('S');
    const harness = folding({summarizer: writer}, undefined, {keepRecentContents: 4});
    const large = Array.from({length: 4}, (_, index) => user(`w${index} ${'w'.repeat(1_200)}`));
    const history = [...chat(10).slice(0, -1), ...large];
    await harness.contents(history);
    expect(writer.requests).toHaveLength(1);
    for (let turn = 0; turn < 4; turn += 1) {
      history.splice(-4, 0, user(`small ${turn}`));
      await harness.contents(history);
    }
    expect(writer.requests).toHaveLength(1);
    history.splice(-4, 0, ...chat(3, 'then', 30));
    await harness.contents(history);
    expect(writer.requests).toHaveLength(2);
  });

  it('once a fold is in use, what is newly folded weighs as it goes out: elided bodies count for nothing', async () => {
    const writer = summarizer('S');
    const harness = folding({summarizer: writer, minFold: 160}, undefined, {keepRecentContents: 1});
    const history = chat(10, `live ${'w'.repeat(2_400)}`);
    await harness.contents(history);
    const next = (read: number): Content[] => [
      ...history.slice(0, -1),
      ...steps(read),
      user(`then ${'v'.repeat(3_600)}`),
    ];
    await harness.contents(next(2));
    expect(harness.kinds()).toEqual(['fold', 'elision']);
    expect(writer.requests).toHaveLength(1);
    await harness.contents(next(5));
    expect(writer.requests).toHaveLength(2);
  });

  it('what cannot be folded is over the trigger by itself: no call, one warning', async () => {
    const writer = summarizer('S');
    const harness = folding({summarizer: writer});
    for (let turn = 0; turn < 10; turn += 1) {
      await harness.contents([user(`hi ${turn}`)], {config: {systemInstruction: 's'.repeat(30_000)}});
    }
    expect(writer.requests).toHaveLength(0);
    expect(harness.codes()).toEqual(['compaction.budget.exhausted']);
  });
});
