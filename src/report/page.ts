import {createHash} from 'node:crypto';
import {text as uplotStyle} from 'uplot/dist/uPlot.min.css?raw';
import {text as uplotLicence} from 'uplot/LICENSE?raw';
import {text as script} from './browser/main.ts?bundle';
import {text as chartStyle} from './charts.css?raw';
import {text as pageStyle} from './page.css?raw';
import type {ReportView} from './view.ts';

const STYLE = [uplotStyle, pageStyle, chartStyle].join('\n');

/**
 * The whole page as one HTML text: it loads nothing, and its content security policy lets nothing run but the one script
 * in it. A live page may ask its own server for news, and nobody else.
 */
export function reportPage(view: ReportView): string {
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(STYLE)}'`,
    `connect-src ${view.isLive ? "'self'" : "'none'"}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>adk-compaction report</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<main id="page"></main>
<script type="application/json" id="view">${inertJson(view)}</script>
<script>${script}</script>
<!-- The charts are drawn by uPlot:
${uplotLicence.replaceAll('--', '- -')}-->
</body>
</html>
`;
}

/** JSON that cannot end the element it stands in. */
function inertJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
