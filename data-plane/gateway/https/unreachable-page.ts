/** What a browser shows while the control plane is away: it asks again by itself. */
export const unreachablePage = (seconds: number): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="${seconds}">
<title>The platform is not ready</title>
<style>
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 32rem; margin: 20vh auto; padding: 0 1rem }
</style>
</head>
<body>
<h1>The platform is not ready</h1>
<p>It may be restarting. This page tries again every ${seconds} seconds.</p>
</body>
</html>
`
