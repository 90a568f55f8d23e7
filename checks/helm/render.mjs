// `npm run test:helm`: renders the chart with a real helm and compares with what is committed; `-- --write` writes that. What
// the chart has to refuse is tried as well. Without helm, on the PATH or named by PLINTH_HELM, it says so and has found nothing.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { parseAllDocuments, stringify } from 'yaml'
import { chart, digestOf, renderArguments, renderedFolder, valuesFolder } from './digest.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const helm = process.env.PLINTH_HELM || 'helm'
const isThere = spawnSync(helm, ['version', '--short'], { encoding: 'utf8' })
if (isThere.error) {
  console.log(`skipped: there is no ${helm}. Install Helm, or name its program in PLINTH_HELM`)
  process.exit(0)
}
console.log(`Helm ${isThere.stdout.trim()}`)
const writes = process.argv.includes('--write')

const template = (name, ...more) =>
  spawnSync(
    helm,
    ['template', 'plinth', chart, '--values', join(valuesFolder, `${name}.yaml`)].concat(
      renderArguments,
      more,
    ),
    { cwd: root, encoding: 'utf8' },
  )
const documentsOf = (text) =>
  parseAllDocuments(text)
    .map((document) => document.toJS())
    .filter((object) => object !== null)

/** @type {[string, string[], string][]} What somebody may write by mistake, and a part of what they are told. */
const refused = [
  ['small', ['--set', 'contrlPlane.replicas=2'], 'contrlPlane'],
  ['small', ['--set', 'settings.STRIPE_SECRET_KEY=secret'], 'STRIPE_SECRET_KEY'],
  ['small', ['--set', 'settings.PLINTH_HOME=/elsewhere'], 'PLINTH_HOME'],
  ['small', ['--set', 'network.apiServers=null'], 'apiServers'],
  ['small', ['--set', 'addresses.projects=https://api.example.com'], '/addresses/projects'],
  ['small', ['--set', 'addresses.dashboard='], 'addresses.dashboard'],
  ['small', ['--set', 'image.repository='], 'image.repository'],
  ['small', ['--set', 'objects.bucket='], 'objects.bucket'],
  ['small', ['--set', 'objects.secret='], 'objects.secret'],
  ['small', ['--set', 'projects.backups.secret=key'], 'projects.backups.bucket'],
  ['large', ['--set', 'projects.backups.secret='], 'projects.backups.secret'],
  ['large', ['--set', 'projects.backups.networks=null'], 'projects.backups.networks'],
  ['small', ['--set', 'dataPlane.replicas=2'], 'ReadWriteMany'],
  ['small', ['--set', 'database.cluster.create=false'], 'database.urlSecret.name'],
  ['large', ['--set', 'database.cluster.create=true'], 'database.urlSecret'],
]

let failures = 0
const fail = (line) => {
  failures += 1
  console.error(line)
}
for (const file of readdirSync(join(root, valuesFolder))) {
  const name = file.replace(/\.yaml$/, '')
  const { status, stdout, stderr } = template(name)
  if (status !== 0) {
    fail(`${name}: helm refused it: ${stderr}`)
    continue
  }
  const rendered = documentsOf(stdout)
  const path = join(renderedFolder, `${name}.yaml`)
  if (writes) {
    const head = `# Written by \`npm run test:helm -- --write\`.\n# Digest: ${digestOf(root, name)}\n`
    const text = rendered.map((one) => stringify(one, { lineWidth: 0 })).join('---\n')
    writeFileSync(join(root, path), head + text)
    execFileSync('npx', ['oxfmt', path], { cwd: root })
    console.log(`wrote ${path}`)
    continue
  }
  const committed = existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : ''
  const isSame =
    isDeepStrictEqual(documentsOf(committed), rendered) && committed.includes(digestOf(root, name))
  if (isSame) console.log(`${path} is what helm renders`)
  else fail(`${path} is stale: run npm run test:helm -- --write`)
}
for (const [name, more, told] of refused) {
  const { status, stderr } = template(name, ...more)
  if (status === 0 || !stderr.includes(told))
    fail(`${name} with ${more.join(' ')} is not refused because of ${told}: ${stderr}`)
}
console.log(`${refused.length} wrong values tried`)
process.exit(failures === 0 ? 0 : 1)
