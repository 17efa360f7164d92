/** Script of the page: its own file, because the page allows no script inside itself. */
export const startScript = `const page = document.getElementById('reference');
SwaggerUIBundle({
  domNode: page,
  url: page.dataset.document,
  deepLinking: true,
  displayRequestDuration: true,
  docExpansion: 'list',
  filter: true,
  tryItOutEnabled: false,
  // The badge of another host.
  validatorUrl: null,
});
`;

/** Nothing from another address, no inline script, in no frame. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The page that shows the document. `path`: of the documentation, as a browser asks for it; `version` of the assets. */
export function referencePage(path: string, version: string): string {
  const asset = (file: string): string => `${path}/assets/${file}?v=${encodeURIComponent(version)}`;
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Millrace API</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="${asset('swagger-ui.css')}">
  </head>
  <body>
    <noscript>The document without this page: <a href="${path}/openapi.yaml">openapi.yaml</a></noscript>
    <div id="reference" data-document="${path}/openapi.json"></div>
    <script src="${asset('swagger-ui-bundle.js')}"></script>
    <script src="${asset('start.js')}"></script>
  </body>
</html>
`;
}
