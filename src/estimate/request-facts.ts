/** What was worked out from the contents of one request, by who worked it out. It lives as long as the request is remembered. */
export type RequestFacts = Map<object, unknown>;

/** An earlier request that one was compared with. */
export interface EarlierRequest {
  /** How many contents both begin with. */
  readonly shared: number;
  /** True when these are all contents of the earlier one. */
  readonly isWhole: boolean;
  readonly facts: RequestFacts;
}

interface FactHolder {
  readonly facts: RequestFacts;
  readonly base: EarlierRequest | undefined;
}

/** The key to one kind of thing that is worked out from the contents of a request; its values live in `facts`. */
export class RequestFact<Value extends object> {
  of({facts}: FactHolder): Value | undefined {
    return facts.get(this) as Value | undefined;
  }

  /** That of the earlier request, some of whose contents this one begins with. */
  ofBase({base}: FactHolder): Value | undefined {
    return base?.facts.get(this) as Value | undefined;
  }

  /** That of the earlier request, when this one begins with all of its contents. */
  ofStart(request: FactHolder): Value | undefined {
    return request.base?.isWhole ? this.ofBase(request) : undefined;
  }

  keep({facts}: FactHolder, value: Value): void {
    facts.set(this, value);
  }
}
