import type {BaseSessionService} from '@google/adk';
import {type ContractOptions, runContract} from './contract.ts';
import {EVENT_RULES} from './session-contract-events.ts';
import {LIFE_RULES} from './session-contract-life.ts';
import {LISTING_RULES} from './session-contract-listing.ts';
import {STATE_RULES} from './session-contract-state.ts';

/**
 * Registers the suite of what this package asks of an ADK session service. It asserts with node:assert, so that any
 * runner will do:
 *
 *     sessionServiceContract({describe, it, name: 'mine', use: async (test) => test(new MyService())});
 */
export function sessionServiceContract(options: ContractOptions<BaseSessionService>): void {
  runContract({...LIFE_RULES, ...EVENT_RULES, ...STATE_RULES, ...LISTING_RULES}, options);
}
