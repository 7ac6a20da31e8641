import {readFileSync} from 'node:fs';
import {Command, CommanderError, Option} from 'commander';
import {packageRootUrl} from '../package-root.ts';
import {EXIT, reportFailure} from './failure.ts';
import {collect, fraction, port, positive, price, time, wholeNumber} from './option-values.ts';

// Each command is loaded when it is run: `--help` starts without a database driver, and nothing but the commands that
// need ADK loads it.

/** Runs the command line and sets the exit code. Never rejects. */
export async function runProgram(argv: readonly string[]): Promise<void> {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') {
      process.exit(EXIT.done);
    }
    throw error;
  });
  try {
    await buildProgram().parseAsync(argv);
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? EXIT.done : EXIT.usage;
    } else {
      reportFailure(error);
    }
  }
}

function buildProgram(): Command {
  const program = new Command('adk-compaction')
    .description('See what context compaction does to ADK sessions, and what it would do.')
    .version(packageVersion())
    .configureHelp({showGlobalOptions: false})
    .showHelpAfterError('(add --help for the options)')
    .exitOverride()
    .addHelpText(
      'after',
      `
Examples:
  $ adk-compaction sessions agent.db
  $ adk-compaction history agent.db --session s1 --summaries
  $ adk-compaction replay session.jsonl --context-tokens 200000 --policy target=0.45 --policy target=0.3,fold
  $ adk-compaction report agent.db -o report.html

Exit codes: 0 done; 1 it could not be done, or verify found a fault; 2 the command line was wrong.
NO_COLOR switches colours off; a pipe gets none.`,
    );
  addReadingCommands(program);
  addReplayCommands(program);
  addReportCommands(program);
  addWritingCommands(program);
  return program;
}

function addReadingCommands(program: Command): void {
  selecting(program.command('sessions'))
    .description('list the sessions of a store, the one last active first')
    .argument('<db>', 'a store made by openSqliteStore')
    .option('--since <time>', 'only sessions active since a date, or a span such as 7d or 12h', time)
    .option('--limit <n>', 'sessions a page', positive, 50)
    .option('--page <n>', 'which page', positive, 1)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ adk-compaction sessions agent.db --user ann --since 7d')
    .action(async (path, options) => (await import('./sessions.ts')).listSessions(path, options));
  selecting(program.command('history'))
    .description('show what compaction did in one session, call by call')
    .argument('<db>', 'a store made by openSqliteStore')
    .option('--summaries', 'print the summaries of folds')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ adk-compaction history agent.db --app helpdesk --user ann --session s1')
    .action(async (path, options) => (await import('./history.ts')).showHistory(path, options));
  selecting(program.command('verify'))
    .description('check a store: the file, its rows, and folds whose beginning is no longer what it was')
    .argument('<db>', 'a store made by openSqliteStore')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  $ adk-compaction verify agent.db\n\nThe exit code is 1 when a fault was found.',
    )
    .action(async (path, options) => (await import('./verify.ts')).verifyStore(path, options));
  selecting(program.command('export'))
    .description('write one session as ADK session JSON')
    .argument('<db>', 'a store, or a database of ADK')
    .option('-o, --output <file>', 'where to write, for its owner only; - is stdout', '-')
    .addHelpText('after', '\nExample:\n  $ adk-compaction export agent.db --session s1 -o s1.json')
    .action(async (path, options) => (await import('./export.ts')).exportSession(path, options));
}

function addReplayCommands(program: Command): void {
  selecting(program.command('replay'))
    .description('what a policy would have done to recorded sessions; several policies side by side')
    .argument('<source>', 'session JSON, JSONL of events, a store, or a database of ADK')
    .option('--context-tokens <n>', "the model's window in tokens", wholeNumber, 200_000)
    .option('--trigger <fraction>', 'share of the window at which to act', fraction)
    .option('--target <fraction>', 'share of the window to come down to', fraction)
    .option('--keep <n>', 'newest contents that are never touched', wholeNumber)
    .option('--minimum <tokens>', 'answers smaller than this are not elided', wholeNumber)
    .option('--preserve <tools>', 'tools whose answers are kept, separated by commas')
    .addOption(new Option('--estimator <name>', 'the deciding figure').choices(['features', 'bytes']))
    .option('--fold', 'fold too; summaries are stand-ins of plausible size and no model is called')
    .option('--fold-model <name>', 'fold with summaries that this Gemini model writes: calls it')
    .option(
      '--policy <settings>',
      'one more policy: the settings above by name, such as name=deep,target=0.3,fold',
      collect,
    )
    .option('--price <usd>', 'per million input tokens', price)
    .option('--price-cached <usd>', 'per million cached input tokens; default: a tenth of --price', price)
    .option('--price-output <usd>', 'per million output tokens of summaries; default: eight times --price', price)
    .option('--report <file>', 'also write the report page')
    .option('--json', 'print JSON, which report reads')
    .addHelpText(
      'after',
      `
Examples:
  $ adk-compaction replay session.jsonl --context-tokens 128000 --target 0.5
  $ adk-compaction replay agent.db --session s1 --policy name=default --policy name=deep,target=0.3 --policy name=fold,fold
  $ adk-compaction replay sessions.db --price 0.30 --price-cached 0.03 --price-output 2.50 --report report.html`,
    )
    .action(async (path, options) => (await import('./replay.ts')).replaySource(path, options));
}

function addReportCommands(program: Command): void {
  const windowed = (command: Command): Command =>
    selecting(command)
      .option('--context-tokens <n>', 'draw the window, the trigger and the target', wholeNumber)
      .option('--trigger <fraction>', 'share of the window at which compaction acts', fraction)
      .option('--target <fraction>', 'share of the window it comes down to', fraction)
      .option('--limit <n>', 'sessions in the page, the ones last active', positive, 20);
  windowed(program.command('report'))
    .description('write one self-contained page about sessions')
    .argument('<source>', 'a store, session JSON, JSONL of events, or the output of replay --json')
    .option('-o, --output <file>', 'where to write, for its owner only; - is stdout', 'report.html')
    .option('--replay <file>', 'add the policy comparison from the output of replay --json')
    .addHelpText('after', '\nExample:\n  $ adk-compaction report agent.db --context-tokens 200000 -o report.html')
    .action(async (path, options) => (await import('./report.ts')).writeReport(path, options));
  windowed(program.command('serve'))
    .description('serve the report on 127.0.0.1, refreshed as the agent runs')
    .argument('<db>', 'a store made by openSqliteStore')
    .option('--port <n>', 'where to listen; 0 picks a free port', port, 4180)
    .addHelpText('after', '\nExample:\n  $ adk-compaction serve agent.db --context-tokens 200000')
    .action(async (path, options) => (await import('./serve.ts')).serveStore(path, options));
}

function addWritingCommands(program: Command): void {
  selecting(program.command('import'))
    .description('copy sessions into a store, which is made when it is missing')
    .argument('<db>', 'the store to write')
    .argument('<source>', 'a database of ADK, session JSON, JSONL of events, or another store')
    .addHelpText(
      'after',
      '\nExample:\n  $ adk-compaction import agent.db adk-sessions.db\n\nA session that is there already is left alone; --app, --user and --session name sessions where the source has no names.',
    )
    .action(async (path, source, options) => (await import('./import.ts')).importSessions(path, source, options));
  selecting(program.command('purge'))
    .description('delete sessions and all that compaction knows of them; asks first')
    .argument('<db>', 'a store made by openSqliteStore')
    .option('--older-than <span>', 'only sessions last active before then: 30d, 12h, or a date', time)
    .option('--yes', 'delete without asking')
    .addHelpText('after', '\nExample:\n  $ adk-compaction purge agent.db --user ann --older-than 30d')
    .action(async (path, options) => (await import('./purge.ts')).purgeSessions(path, options));
  program
    .command('migrate')
    .description('bring a store to the current schema')
    .argument('<db>', 'a store made by openSqliteStore')
    .addHelpText('after', '\nExample:\n  $ adk-compaction migrate agent.db')
    .action(async (path) => (await import('./migrate.ts')).migrateStore(path));
}

function selecting(command: Command): Command {
  return command
    .option('--app <name>', 'only this app')
    .option('--user <id>', 'only this user')
    .option('--session <id>', 'only this session');
}

function packageVersion(): string {
  const manifest = readFileSync(new URL('package.json', packageRootUrl()), 'utf8');
  return (JSON.parse(manifest) as {version: string}).version;
}
