// `npm run test:upgrade`: what the oldest state of this project made is started, read and used by the present one. Another
// revision can be named. It is checked out and installed in a folder of its own, which takes the network and some minutes.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { buildIfStale } from '../start/build.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
/** The last of the first landed state: accounts, organizations, projects, the data API and auth. */
const oldest = 'fb5d480'
const [revision = oldest] = process.argv.slice(2)
const person = { email: 'ada@example.com', password: 'Str0ng-enough!' }

const folder = mkdtempSync(join(tmpdir(), 'plinth-upgrade-'))
chmodSync(folder, 0o711)
const [checkout, home] = [join(folder, 'checkout'), join(folder, 'home')]
let running

function run(program, args, cwd) {
  const { status } = spawnSync(program, args, { cwd, stdio: 'inherit' })
  assert.equal(status, 0, `${program} ${args.join(' ')}`)
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  await new Promise((resolve) => server.close(resolve))
  return port
}

async function start(from, { port, projectPort }) {
  const env = { ...process.env, PORT: port, PROJECT_PORT: projectPort, PLINTH_HOME: home }
  running = spawn(process.execPath, ['--enable-source-maps', join(from, 'dist/server/all.js')], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: running.stdout })) {
    console.log(line)
    if (line.startsWith('ready ')) return
  }
  throw new Error('The platform ended')
}

async function stop() {
  if (!running || running.exitCode !== null) return
  const gone = once(running, 'exit')
  running.kill('SIGINT')
  await gone
}

async function ask(url, method, path, { token, body, headers } = {}) {
  const answer = await fetch(url + path, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${text}`)
  return text === '' || !/^[[{]/.test(text) ? text : JSON.parse(text)
}

async function reaches(url, token, ref, status) {
  for (let look = 0; look < 240; look += 1) {
    const now = await ask(url, 'GET', `/platform/projects/${ref}/status`, { token })
    if (now.status === status) return
    await delay(250)
  }
  throw new Error(`${ref} does not become ${status}`)
}

async function createProject(url, token, organization_slug, name) {
  const wanted = { name, organization_slug, db_pass: 'a long and winding password 42!' }
  const where = { db_region: 'eu-central-1', cloud_provider: 'AWS', desired_instance_size: 'micro' }
  const body = { ...wanted, ...where }
  const project = await ask(url, 'POST', '/platform/projects', { token, body })
  await reaches(url, token, project.ref, 'ACTIVE_HEALTHY')
  return project
}

/** As somebody then left it: a project with rows and a user, and one that is paused. */
async function make(url) {
  const { access_token: token } = await ask(url, 'POST', '/auth/v1/signup', { body: person })
  await ask(url, 'POST', '/platform/profile', { token })
  const organization = { name: 'Acme', kind: 'PERSONAL', tier: 'tier_pro' }
  const { slug } = await ask(url, 'POST', '/platform/organizations', { token, body: organization })
  const shop = await createProject(url, token, slug, 'Shop')
  const { connectionString } = await ask(url, 'GET', `/platform/projects/${shop.ref}`, { token })
  const query = `create table notes (id int primary key, text text);
    insert into notes select n, 'Note ' || n from generate_series(1, 1000) n;
    grant all on notes to anon, service_role`
  const headers = { 'x-connection-encrypted': connectionString }
  await ask(url, 'POST', `/platform/pg-meta/${shop.ref}/query`, { token, headers, body: { query } })
  const user = { apikey: shop.anon_key }
  await ask(shop.endpoint, 'POST', '/auth/v1/signup', { headers: user, body: person })
  const paused = await createProject(url, token, slug, 'Paused')
  await ask(url, 'POST', `/platform/projects/${paused.ref}/pause`, { token })
  await reaches(url, token, paused.ref, 'INACTIVE')
  return { shop, paused, slug }
}

/** All of it is there, and what has come since works with it. */
async function use(url, { shop, paused, slug }) {
  const signIn = '/auth/v1/token?grant_type=password'
  const { access_token: token } = await ask(url, 'POST', signIn, { body: person })
  const organizations = await ask(url, 'GET', '/platform/organizations', { token })
  assert.deepEqual(
    organizations.map((one) => one.slug),
    [slug],
  )
  await reaches(url, token, shop.ref, 'ACTIVE_HEALTHY')
  const headers = { apikey: shop.service_key, authorization: `Bearer ${shop.service_key}` }
  const call = (method, path, body) => ask(shop.endpoint, method, path, { headers, body })
  // Servers are upgraded and started one after the other, once the platform is ready.
  for (let look = 0; look < 240; look += 1) {
    const { status } = await fetch(`${shop.endpoint}/rest/v1/notes?limit=0`, { headers })
    if (status !== 503) break
    await delay(250)
  }
  assert.deepEqual(await call('GET', '/rest/v1/notes?select=count'), [{ count: 1000 }])
  await call('POST', signIn, person)
  await call('POST', '/storage/v1/bucket', { id: 'files', name: 'files' })
  await call('POST', '/storage/v1/object/files/a.json', { a: 1 })
  assert.deepEqual(await call('GET', '/storage/v1/object/files/a.json'), { a: 1 })
  await call('POST', '/graphql/v1', { query: '{__typename}' })
  const files = [{ path: 'index.ts', content: "Deno.serve(() => new Response('here'))" }]
  const versions = `/platform/projects/${shop.ref}/functions/hello/versions`
  await ask(url, 'POST', versions, { token, body: { files, verify_jwt: false } })
  assert.equal(await call('GET', '/functions/v1/hello'), 'here')
  await ask(url, 'POST', `/platform/projects/${paused.ref}/restore`, { token })
  await reaches(url, token, paused.ref, 'ACTIVE_HEALTHY')
  await createProject(url, token, slug, 'New')
}

try {
  await buildIfStale()
  run('git', ['clone', '--quiet', root, checkout], root)
  run('git', ['checkout', '--quiet', revision], checkout)
  run('npm', ['ci', '--silent'], checkout)
  run('npm', ['run', 'build'], checkout)
  const ports = { port: await freePort(), projectPort: await freePort() }
  const url = `http://localhost:${ports.port}`
  await start(checkout, ports)
  const made = await make(url)
  await stop()
  await start(root, ports)
  await use(url, made)
  console.log(`what ${revision} made is there, and works`)
} finally {
  await stop()
  rmSync(folder, { recursive: true, force: true })
}
