import { gzipSync } from 'node:zlib'
import { openBrowser } from '../journeys/testing/chromium.ts'
import { buildBasePage } from './parts/base-page.ts'
import { serveFolder } from './parts/serve-folder.ts'
import { coldPage, openSignedIn, type State } from './parts/signed-in.ts'

/**
 * What a cold load of a page costs until it rests: kilobytes of all scripts, compressed as a server does, and processor
 * time of its main thread against the bare page.
 */
const rounds = 5

const base = await serveFolder(await buildBasePage())
const browser = await openBrowser()
const place = await openSignedIn(browser, {
  sql: `create table books (id int primary key, title text, pages int);
    insert into books select n, 'Title ' || n, n from generate_series(1, 500) n`,
})
try {
  const project = `${place.platform.url}/project/${place.project.ref}`
  const pages = {
    home: { url: project, settled: 'h1' },
    table: { url: `${project}/editor?schema=public`, settled: '[aria-label="Tables of public"]' },
    sql: { url: `${project}/sql/new`, settled: '.sql-text .view-lines' },
  }
  for (const [name, { url, settled }] of Object.entries(pages)) {
    const ratios: number[] = []
    let kilobytes = 0
    for (let round = 0; round <= rounds; round++) {
      const ours = await visit(url, settled, place.state)
      const bare = await visit(base.url, 'h1')
      kilobytes = ours.kilobytes
      if (round > 0) ratios.push(ours.cpuMs / bare.cpuMs)
    }
    const cpuRatio = ratios.toSorted((a, b) => a - b)[rounds >> 1]
    const line = { name: `page ${name}`, kilobytes, cpuRatio: Number(cpuRatio?.toFixed(3)), rounds }
    process.stdout.write(`${JSON.stringify(line)}\n`)
  }
} finally {
  await browser.close()
  await place.close()
  base.close()
}

async function visit(url: string, settled: string, state?: State) {
  const { context, page } = await coldPage(browser, state)
  const devtools = await context.newCDPSession(page)
  await devtools.send('Performance.enable')
  const bodies: Promise<number>[] = []
  page.on('response', (response) => {
    const type = response.request().resourceType()
    if (type === 'script' && response.ok())
      bodies.push(response.body().then((body) => gzipSync(body).length))
  })
  await page.goto(url)
  await page.waitForLoadState('networkidle')
  await page.locator(settled).first().waitFor()
  const { metrics } = await devtools.send('Performance.getMetrics')
  const taken = metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN
  const bytes = (await Promise.all(bodies)).reduce((sum, each) => sum + each, 0)
  await context.close()
  return { cpuMs: taken * 1000, kilobytes: Math.round(bytes / 1000) }
}
