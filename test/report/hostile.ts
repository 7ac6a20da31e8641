/** Texts that would do something if anything took them for markup, a style or the end of a script. */
export const HOSTILE = {
  session: '</script><script>document.title="owned"</script>',
  user: '"><img src=x onerror="document.title=\'owned\'">',
  tool: '<b onmouseover=alert(1)>read</b>',
  summary:
    '<!--<script>document.title="owned"</script>\n</textarea><iframe src="https://example.com/"></iframe>\n{{7*7}}',
};
