/** The part of a test runner that the contract suites need; vitest and node:test have it. */
export interface TestRunner {
  describe(name: string, body: () => void): unknown;
  it: ((name: string, body: () => Promise<void>) => unknown) & {
    skip(name: string, body: () => Promise<void>): unknown;
  };
}

/** How a contract suite gets at what it tests. */
export interface ContractOptions<Subject> extends TestRunner {
  /** Heading of the suite. */
  readonly name: string;
  /** Makes a new, empty subject, runs `test` on it and cleans up, also when `test` rejects. */
  use(test: (subject: Subject) => Promise<void>): Promise<void>;
  /** Rules that the subject breaks on purpose: the name of each with the reason. */
  readonly differences?: Readonly<Record<string, string>>;
}

/** The rules of a contract: a sentence, and a test that rejects when it does not hold. */
export type Rules<Subject> = Readonly<Record<string, (subject: Subject) => Promise<void>>>;

/** Registers one test per rule; a difference is skipped with its reason in the name. */
export function runContract<Subject>(rules: Rules<Subject>, options: ContractOptions<Subject>): void {
  const {describe, it, name, use, differences = {}} = options;
  const unknown = Object.keys(differences).filter((rule) => !Object.hasOwn(rules, rule));
  if (unknown.length > 0) throw new Error(`No such rule in the contract: ${unknown.join('; ')}`);
  describe(name, () => {
    for (const [rule, test] of Object.entries(rules)) {
      const reason = differences[rule];
      if (reason === undefined) it(rule, () => use(test));
      else it.skip(`${rule} (differs: ${reason})`, () => use(test));
    }
  });
}
