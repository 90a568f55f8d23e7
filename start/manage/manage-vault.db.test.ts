import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, type World } from '#control-plane/testing/world'
import { manage } from './manage-run.ts'

let world: World
let environment: Record<string, string>
beforeAll(async () => {
  world = await startWorld(`create extension supabase_vault;
    select vault.create_secret('value ' || n, 'name ' || n) from generate_series(1, 20) n`)
  environment = await environmentOf(world.ada)
})
afterAll(() => world.end())

async function environmentOf(person: World['ada']): Promise<Record<string, string>> {
  const made = await person.call('POST', '/platform/profile/access-tokens', { name: 'terminal' })
  return {
    PLINTH_URL: world.controlUrl,
    PLINTH_ACCESS_TOKEN: String(made.body['token']),
    PLINTH_HOME: world.control.home,
  }
}
async function run(words: string, env = environment) {
  const out: string[] = []
  const complaints: string[] = []
  const code = await manage(words.split(' '), {
    environment: env,
    say: (line) => out.push(line),
    complain: (line) => complaints.push(line),
    browse: () => undefined,
  })
  return { code, out: out.join('\n'), complaints: complaints.join('\n') }
}
const keys = () =>
  world.sql(`select distinct extensions.plinth_vault_key_of(decode(secret, 'base64')) as key
    from vault.secrets`)
const opened = () =>
  world.sql(`select count(*)::int as n from vault.decrypted_secrets
    where decrypted_secret = replace(name, 'name', 'value')`)

test.each([
  ['vault rotate', 2, 'missing REF'],
  ['vault rotate ../secrets', 2, 'is not a project ref'],
  ['vault rotate aaaaaaaaaaaaaaaaaaaa', 1, 'This project does not exist'],
  ['vault rotat aaaaaaaaaaaaaaaaaaaa', 2, 'did you mean "vault rotate"?'],
])('plinth %s ends with %i', async (words, code, complaint) => {
  const refused = await run(words)
  expect(refused).toMatchObject({ code, out: '' })
  expect(refused.complaints).toContain(complaint)
})

test('who may not rotate the key is refused, and the key stays', async () => {
  const before = await keys()
  const refused = await run(`vault rotate ${world.ref}`, await environmentOf(world.as('Developer')))
  expect(refused).toMatchObject({ code: 1, out: '' })
  expect(await keys()).toEqual(before)
})

test('the key is rotated, and the command ends when every secret is encrypted with it', async () => {
  const [before] = await keys()
  const { code, out } = await run(`vault rotate ${world.ref}`)
  const after = await keys()
  expect({ code, after: after.length }).toEqual({ code: 0, after: 1 })
  expect(after[0]).not.toEqual(before)
  expect(out).toContain(String(after[0]?.['key']))
  expect(await opened()).toEqual([{ n: 20 }])
  const json: unknown = JSON.parse((await run(`vault rotate ${world.ref} --json`)).out)
  expect(json).toMatchObject({ former: 2, secrets: 20, closed: 0 })
})

test('a rotation that cannot finish says why, and what it left opens', async () => {
  await world.sql(`
    create function keep() returns trigger language plpgsql as 'begin return old; end';
    create trigger keep before update on vault.secrets for each row execute function keep()`)
  const failed = await run(`vault rotate ${world.ref}`)
  expect(failed).toMatchObject({ code: 1, out: '' })
  expect(failed.complaints).toContain('A trigger on vault.secrets may keep them')
  expect(await opened()).toEqual([{ n: 20 }])
  await world.sql('drop trigger keep on vault.secrets')
  expect((await run(`vault rotate ${world.ref}`)).code).toBe(0)
  expect(await opened()).toEqual([{ n: 20 }])
  expect(await keys()).toHaveLength(1)
})
