import fc from 'fast-check';

// The same cases on every run; ADK_COMPACTION_SEED=<number> tries others.
fc.configureGlobal({seed: Number(process.env.ADK_COMPACTION_SEED ?? 1)});
