import { spawn } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { preparePostgres } from '#kit/postgres/runtime'
import { root } from '#kit/root'
import { createOrganization, createProject, reaches, runSql, signUp } from '../testing/client.ts'
import { placesInUse } from '../testing/operator.ts'
import { newHome, startPlatform } from '../testing/platform.ts'
import { childOf, lives, until } from '../testing/processes.ts'
import { serversOf, wrongsOf } from '../testing/world.ts'
import { freePort } from '#kit/testing/free-port'
import { manage } from '#start/manage/manage-run'

/** Starts the program and waits for its end: what it said, and its exit code. */
function runToEnd(
  environment: Record<string, string>,
): Promise<{ code: number | null; said: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(root, 'dist/server/all.js')], {
      env: { PATH: process.env['PATH'], ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let said = ''
    child.stdout.on('data', (bytes) => (said += String(bytes)))
    child.stderr.on('data', (bytes) => (said += String(bytes)))
    child.once('exit', (code) => resolve({ code, said }))
  })
}

test('a life: made, stopped by Ctrl-C, started again, killed, started again; no row is lost', async () => {
  const home = await newHome()
  let platform = await startPlatform({ home })
  expect(platform.output()).toMatch(/^ready http:\/\/localhost:\d+ in \d+ ms$/m)
  await expect.poll(platform.output).toContain(`  data: ${platform.home}\n`)
  const { clusters } = await preparePostgres(home)
  const ada = await signUp(platform.url, 'ada@example.com')
  const slug = await createOrganization(ada, 'Acme')
  const { ref } = await createProject(ada, slug, 'Books')
  await reaches(ada, ref, ['ACTIVE_HEALTHY'])
  await runSql(ada, ref, "create table book (title text); insert into book values ('Dune')")

  expect(await platform.stop()).toBeLessThan(10_000)
  expect([...serversOf(clusters).keys()]).toEqual([])

  const { port, projectPort } = platform.ports
  platform = await startPlatform({ home })
  // Whoever asks for the health of the installation is told of no program that is missed.
  expect(await placesInUse(platform)).not.toContainEqual(
    expect.stringMatching(`:(${port}|${projectPort})$`),
  )
  const again = await signIn(platform.url)
  await reaches(again, ref, ['ACTIVE_HEALTHY'])
  await until('the database is back', () => serversOf(clusters).has(ref))
  await expect
    .poll(() => runSql(again, ref, 'select title from book'), { timeout: 60_000 })
    .toEqual([{ title: 'Dune' }])

  const parent = platform.process.pid ?? 0
  const child = childOf(parent, 'control-plane.js') ?? 0
  expect(child).toBeGreaterThan(0)
  platform.process.kill('SIGKILL')
  await until('the programs end with their parent', () => !lives(parent) && !lives(child))
  expect(serversOf(clusters).has(ref)).toBe(true)

  platform = await startPlatform({ home })
  const last = await signIn(platform.url)
  await expect
    .poll(() => runSql(last, ref, 'select title from book'), { timeout: 60_000 })
    .toEqual([{ title: 'Dune' }])
  await expect.poll(() => wrongsOf(platform), { timeout: 60_000 }).toEqual([])
  await platform.dispose()
  expect([...serversOf(clusters).keys()]).toEqual([])
})

async function signIn(url: string) {
  const response = await fetch(`${url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ada@example.com', password: 'Str0ng-enough!' }),
  })
  // The shape of a session is the auth service's contract.
  const { access_token } = (await response.json()) as { access_token: string }
  return {
    token: access_token,
    async call(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
      const answer = await fetch(url + path, {
        method,
        headers: {
          authorization: `Bearer ${access_token}`,
          'content-type': 'application/json',
          ...headers,
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      const json = (await answer.json()) as Record<string, unknown>
      return { status: answer.status, body: json, headers: answer.headers }
    },
  }
}

test('a second start on the same home says so and ends; the first goes on', async () => {
  const platform = await startPlatform()
  const second = await runToEnd({
    PLINTH_HOME: platform.home,
    PORT: String(await freePort()),
    PROJECT_PORT: String(await freePort()),
  })
  expect(second).toMatchObject({ code: 1 })
  expect(second.said).toContain(`Plinth already runs on ${platform.home}`)
  expect((await fetch(`${platform.url}/platform/status`)).status).toBe(200)
  await platform.dispose()
})

test.each(['PORT', 'PROJECT_PORT'])(
  'a port in use for %s is named, and nothing is started',
  async (name) => {
    const holder = createServer()
    await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', () => resolve()))
    const address = holder.address()
    const taken = String(typeof address === 'object' && address ? address.port : 0)
    const home = await newHome()
    const other = name === 'PORT' ? 'PROJECT_PORT' : 'PORT'
    const end = await runToEnd({
      PLINTH_HOME: home,
      [name]: taken,
      [other]: String(await freePort()),
    })
    holder.close()
    expect(end.code).toBe(1)
    expect(end.said).toContain(`port ${taken} is in use`)
    expect(end.said).toContain(name)
  },
)

test('one port for both is refused with one line', async () => {
  const port = String(await freePort())
  const end = await runToEnd({ PLINTH_HOME: await newHome(), PORT: port, PROJECT_PORT: port })
  expect(end).toEqual({
    code: 1,
    said: `plinth: PORT and PROJECT_PORT are both ${port}; set one of them to another port\n`,
  })
})

test('a bad setting stops the start with one line that names it', async () => {
  const end = await runToEnd({ PORT: 'eighty' })
  expect(end.code).toBe(1)
  expect(end.said).toMatch(/^plinth: PORT: .+\n$/)
})

/** Whether another user can read what the platform runs from; a checkout below /root keeps everyone out. */
function othersCanRun(): boolean {
  for (let path = root; ; path = dirname(path)) {
    if ((statSync(path).mode & 0o005) !== 0o005) return false
    if (path === dirname(path)) break
  }
  accessSync(process.execPath, constants.X_OK)
  return true
}

test.runIf(process.getuid?.() === 0 && othersCanRun())(
  'it runs as an ordinary user as well',
  async () => {
    const platform = await startPlatform({ uid: 65_534 })
    const ada = await signUp(platform.url, 'ada@example.com')
    const { ref } = await createProject(ada, await createOrganization(ada, 'Acme'), 'Books')
    await reaches(ada, ref, ['ACTIVE_HEALTHY'])
    expect(await runSql(ada, ref, 'select 1 as one')).toEqual([{ one: 1 }])
    // Without any account, by who may enter its folder.
    const said: string[] = []
    const say = (line: string) => said.push(line)
    const environment = { PLINTH_HOME: platform.home }
    expect(
      await manage(['projects', 'create'], { environment, say, complain: say, browse: say }),
    ).toBe(0)
    expect(said[1]).toMatch(/^url {2}http:\/\/localhost:\d+\/[a-z]{20}$/)
    await platform.dispose()
  },
)
