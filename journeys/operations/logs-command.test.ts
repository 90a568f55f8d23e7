import { execFile, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { root } from '#kit/root'
import { createOrganization, createProject, reaches, signUp } from '../testing/client.ts'
import { newHome, startPlatform } from '../testing/platform.ts'

/** `plinth logs`, typed in a terminal, at a platform that is restarted meanwhile. */
const command = join(root, 'start/plinth.mjs')
type Lines = string[]

function hear(stream: NodeJS.ReadableStream): Lines {
  const lines: Lines = []
  createInterface({ input: stream }).on('line', (line) => lines.push(line))
  return lines
}

test('the logs of a project are printed and followed in a terminal, over a restart of the platform', async () => {
  const home = await newHome()
  let platform = await startPlatform({ home })
  onTestFinished(() => platform.dispose())
  const { url, ports } = platform
  const ada = await signUp(url, 'ada@example.com')
  const { ref, endpoint, serviceKey } = await createProject(
    ada,
    await createOrganization(ada, 'Acme'),
    'Books',
  )
  await reaches(ada, ref, ['ACTIVE_HEALTHY'])
  const token = await ada.call('POST', '/platform/profile/access-tokens', { name: 'terminal' })
  const env = {
    PATH: process.env['PATH'],
    PLINTH_URL: url,
    PLINTH_ACCESS_TOKEN: String(token.body['token']),
  }
  const ask = async (table: string) =>
    (await fetch(`${endpoint}/rest/v1/${table}`, { headers: { apikey: serviceKey } })).status
  const run = (...words: string[]) =>
    new Promise<{ code: number; out: string; err: string }>((resolve) => {
      execFile(process.execPath, [command, 'logs', ref, ...words], { env }, (error, out, err) =>
        resolve({ code: error ? Number(error.code) : 0, out, err }),
      )
    })

  expect(await run('--source', 'edg')).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining('did you mean "edge"?'),
  })
  expect(await ask('early')).toBe(404)
  await expect.poll(async () => (await run('--source', 'edge')).out).toContain('/rest/v1/early')
  const { code, out } = await run('--search', 'early', '--json')
  expect(code).toBe(0)
  const [entry] = JSON.parse(out) as { fields: Record<string, unknown> }[]
  expect(entry).toMatchObject({ source: 'edge_logs', fields: { status: 404 } })

  const following = spawn(process.execPath, [command, 'logs', ref, '-f', '--search', 'rest'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void following.kill('SIGKILL'))
  const ended = new Promise((resolve) => following.once('exit', resolve))
  const [lines, said] = [hear(following.stdout), hear(following.stderr)]
  const linesOf = (table: string) => lines.filter((line) => line.includes(`/rest/v1/${table}`))
  await expect.poll(() => linesOf('early')).toHaveLength(1)
  expect(await ask('live')).toBe(404)
  await expect.poll(() => linesOf('live')).toHaveLength(1)
  expect(said).toEqual([])

  await platform.stop()
  await expect.poll(() => said.length).toBe(1)
  platform = await startPlatform({ home, ports })
  await expect
    .poll(() => said.at(-1), { timeout: 60_000 })
    .toBe('plinth: the platform answers again')
  await expect.poll(() => ask('again'), { timeout: 60_000 }).toBe(404)
  await expect.poll(() => linesOf('again').length, { timeout: 60_000 }).toBeGreaterThan(0)
  expect(said[0]).toContain('trying again until it answers')
  // Once for each time that it was away, however often it was asked meanwhile.
  const saidOf = (words: string) => said.filter((line) => line.includes(words)).length
  await expect.poll(() => saidOf('answers again') - saidOf('trying again')).toBe(0)
  expect([linesOf('early').length, linesOf('live').length]).toEqual([1, 1])
  following.kill('SIGINT')
  expect(await ended).toBe(0)
})
