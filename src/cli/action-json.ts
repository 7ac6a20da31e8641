import type {Action} from '../report/history.ts';

/** An action as commands print it: without the contents of a fold, which repeat its summary. */
export function actionJson(action: Action): object {
  if (action.kind === 'failed-fold') {
    return action;
  }
  const {output: _, ...rest} = action;
  return rest;
}
