import assert from 'node:assert/strict';

/** The part of a test runner that the contract suites need; vitest and node:test have it. */
export interface TestRunner {
  describe(name: string, body: () => void): unknown;
  it(name: string, body: () => Promise<void>): unknown;
}

/** How a contract suite gets at what it tests. */
export interface ContractOptions<Subject> extends TestRunner {
  /** Heading of the suite. */
  readonly name: string;
  /** Makes a new, empty subject, runs `test` on it and cleans up, also when `test` rejects. */
  use(test: (subject: Subject) => Promise<void>): Promise<void>;
  /** Rules that the subject breaks on purpose, each with the reason; a test fails when it keeps one after all. */
  readonly differences?: Readonly<Record<string, string>> | undefined;
}

/** The rules of a contract: a sentence, and a test that rejects when it does not hold. */
export type Rules<Subject> = Readonly<Record<string, (subject: Subject) => Promise<void>>>;

/** Registers one test per rule. Throws when a difference names no rule. */
export function runContract<Subject>(rules: Rules<Subject>, options: ContractOptions<Subject>): void {
  const {describe, it, name, use, differences = {}} = options;
  const unknown = Object.keys(differences).filter((rule) => !Object.hasOwn(rules, rule));
  if (unknown.length > 0) {
    throw new Error(`The contract has no such rule: ${unknown.join('; ')}`);
  }
  describe(name, () => {
    for (const [rule, test] of Object.entries(rules)) {
      const reason = differences[rule];
      if (reason === undefined) {
        it(rule, () => use(test));
      } else {
        it(`differs: ${rule} (${reason})`, () => assert.rejects(use(test), `${name} keeps this rule after all`));
      }
    }
  });
}
