/** The app: its name is that of this folder, which is what the server looks it up by. */
import {App, Gemini, LlmAgent} from '@google/adk';
import {CompactionPlugin} from 'adk-compaction';
import {store} from '../../store.js';

const model = new Gemini({model: 'gemini-2.5-flash'});

export const app = new App({
  name: 'helpdesk',
  rootAgent: new LlmAgent({name: 'helper', model, instruction: 'Be brief.'}),
  plugins: [
    new CompactionPlugin({policy: {contextTokens: 200_000}, store: store.compaction, fold: {summarizer: model}}),
  ],
});
