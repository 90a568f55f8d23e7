import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ServerLogEntry } from '#contract/observability/server-log'
import { waitUntil } from '#kit/postgres/processes'
import { loginTests, privilegeTests } from './conformance-access.ts'
import { backupTests } from './conformance-backups.ts'
import { replicaTests } from './conformance-replicas.ts'
import { capabilities, thisMachine, type Capability, type Place } from './capabilities.ts'
import { ask, loginsOf, specOf, testRef, type Login } from './conformance-project.ts'
import { UnknownProjectError, type DatabaseAddress, type Provider } from '../provider.ts'

/** What the suite needs besides the provider itself, to look at the world and to break it. */
export type Harness = {
  provider: Provider
  /** Replaces the provider by another one over the same world, as after a kill -9 of the platform. */
  reopen(): Promise<Provider>
  /** Everything left of a project: processes, folders, sockets; named so that a failure reads well. */
  tracesOf(ref: string): Promise<string[]>
  /** Ends the server's main process at once and nothing else. */
  killServer(ref: string): Promise<void>
  /** Leaves what a create that was killed in the middle leaves. */
  leaveHalfCreated(ref: string): Promise<void>
  /** Destroys every project and removes everything. */
  close(): Promise<void>
}

/** The suite every provider must pass, all of it but for what its place is said to be without. */
export function providerConformance(
  name: string,
  open: () => Promise<Harness>,
  place: Place = thisMachine,
): void {
  const has = (capability: Capability) => !place.without.includes(capability)
  const { customer, admin } = loginsOf(place.names)
  const startBusySession = (at: DatabaseAddress, ref: string) => busySession(at, customer(ref))
  describe(`provider ${name}`, () => {
    let harness: Harness
    let provider: Provider
    /** What was handed over of what servers wrote. */
    const logged: { ref: string; entry: ServerLogEntry }[] = []
    beforeAll(async () => {
      harness = await open()
      provider = harness.provider
      provider.onServerLog?.(async (ref, entries) => {
        logged.push(...entries.map((entry) => ({ ref, entry })))
      })
      await provider.prepare()
    })
    afterAll(async () => {
      await harness.close()
    })
    const created = async () => {
      const ref = testRef()
      return { ref, at: await provider.create(specOf(ref)) }
    }

    describe('a project', () => {
      let ref: string
      let at: DatabaseAddress
      beforeAll(async () => ({ ref, at } = await created()))

      loginTests(() => ({ ref, at }), place)
      privilegeTests(() => ({ ref, at }), place)
      test('has no verb for what its place is without', () => {
        const verbs = place.without.flatMap((capability) => [...capabilities[capability]])
        expect(verbs.filter((verb) => provider[verb] !== undefined)).toEqual([])
      })

      if (has('logs'))
        test('what its server writes is handed over once, with its code and no text of a statement', async () => {
          const failing = `select 'Secret' from nowhere`
          await expect(ask(at, customer(ref), failing)).rejects.toThrow('nowhere')
          const ofIt = () =>
            logged.filter((one) => one.ref === ref && one.entry.sql_state_code === '42P01')
          await expect.poll(ofIt, { timeout: 60_000 }).toMatchObject([
            {
              entry: {
                severity: 'ERROR',
                message: expect.stringContaining('relation "nowhere" does not exist') as string,
                user_name: place.names.customer,
                backend_type: 'client backend',
              },
            },
          ])
          await expect(ask(at, customer(ref), 'select 1 / 0')).rejects.toThrow('zero')
          const later = () => logged.filter(({ entry }) => entry.sql_state_code === '22012')
          await expect.poll(() => later().length, { timeout: 60_000 }).toBe(1)
          expect(ofIt()).toHaveLength(1)
          expect(JSON.stringify(logged)).not.toContain('Secret')
        })

      test('its password opens no other project', async () => {
        const other = await created()
        await expect(ask(other.at, customer(ref), 'select 1')).rejects.toThrow(/authentication/)
        await expect(ask(other.at, admin(ref), 'select 1')).rejects.toThrow(/authentication/)
        await provider.destroy(other.ref)
      })
      test('loses no acknowledged write and notices damaged pages', async () => {
        for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit', 'data_checksums'])
          expect(await ask(at, customer(ref), `show ${setting}`), setting).toBe('on')
      })
    })

    describe('its life', () => {
      test('stop and start keep the rows; the state is always told', async () => {
        const { ref, at } = await created()
        await ask(at, customer(ref), 'create table t as select 7 as n')
        expect(await provider.inspect(ref)).toEqual({ state: 'running', address: at })
        expect(await provider.probe(ref)).toBe(true)
        await provider.stop(ref)
        expect(await provider.inspect(ref)).toEqual({ state: 'stopped' })
        expect(await provider.probe(ref)).toBe(false)
        expect(await harness.tracesOf(ref)).not.toContainEqual(expect.stringContaining('process'))
        const again = await provider.start(ref)
        expect(await ask(again, customer(ref), 'select n from t')).toBe(7)
        const restarted = await provider.restart(ref)
        expect(await ask(restarted, customer(ref), 'select n from t')).toBe(7)
        expect(await provider.list()).toContain(ref)
      })
      test('another size is there after one restart, with every row, and nothing restarts for the same one', async () => {
        const { ref, at } = await created()
        if (!provider.resize) return
        await ask(at, customer(ref), 'create table t as select 7 as n')
        const places = (address: DatabaseAddress) =>
          ask(address, customer(ref), "select current_setting('max_connections')::int")
        const started = (address: DatabaseAddress) =>
          ask(address, customer(ref), 'select pg_postmaster_start_time()::text')
        const before = await places(at)
        const small = { maxConnections: 30 }
        const large = { maxConnections: 60 }
        const up = await provider.resize(ref, large)
        expect(up.downMs).toBeGreaterThan(0)
        expect(await places(up.address)).toBeGreaterThan(Number(before))
        expect(await ask(up.address, customer(ref), 'select n from t')).toBe(7)
        const since = await started(up.address)
        expect(await provider.resize(ref, large)).toEqual({
          address: up.address,
          downMs: undefined,
        })
        expect(await started(up.address)).toBe(since)
        expect(await provider.limits?.(ref)).toEqual(large)
        provider = await harness.reopen()
        expect(await places(await provider.start(ref))).toBe(await places(up.address))
        await provider.stop(ref)
        const down = await provider.resize?.(ref, small)
        expect(down?.downMs).toBeUndefined()
        expect(await provider.inspect(ref)).toEqual({ state: 'running', address: down?.address })
        expect(await places(await provider.restart(ref))).toBeLessThan(Number(before))
      })
      test('read only holds for open sessions and over a restart, until it is taken back', async () => {
        const { ref, at } = await created()
        const shown = (address: DatabaseAddress) =>
          ask(address, customer(ref), 'show transaction_read_only')
        for (let i = 0; i < 2; i++) await provider.setReadOnly(ref, true)
        expect(await waitUntil(async () => (await shown(at)) === 'on', 10_000)).toBe(true)
        const again = await provider.restart(ref)
        expect(await shown(again)).toBe('on')
        await provider.setReadOnly(ref, false)
        expect(await waitUntil(async () => (await shown(again)) === 'off', 10_000)).toBe(true)
        await provider.setReadOnly(testRef(), true)
        await provider.destroy(ref)
      })

      if (has('disks'))
        test('what a server takes of the disk grows and shrinks with its rows', async () => {
          const { ref, at } = await created()
          const { diskUse, diskMark, diskSpace } = provider
          // A provider of servers that are somebody else's knows nothing of their disks.
          if (!diskUse || !diskMark) throw new Error('This provider knows no disks')
          const before = await diskUse(ref)
          const megabytes = 30
          await ask(
            at,
            customer(ref),
            `create table large as select repeat(md5(n::text), 31) from generate_series(1, ${megabytes * 1024}) n`,
          )
          const grown = await diskUse(ref)
          const more = (grown?.database ?? 0) - (before?.database ?? 0)
          expect(more).toBeGreaterThan(megabytes * 1024 ** 2)
          expect(more).toBeLessThan(2 * megabytes * 1024 ** 2)
          expect(grown?.other).toBeGreaterThan(16 * 1024 ** 2)
          await ask(at, customer(ref), 'drop table large')
          if (has('known superuser')) await ask(at, admin(ref), 'checkpoint')
          expect((await diskUse(ref))?.database).toBeLessThan((before?.database ?? 0) + 1024 ** 2)
          expect(await diskUse(testRef())).toBeUndefined()
          // The server itself writes a little about what happened before.
          let mark = await diskMark(ref)
          await expect.poll(async () => mark === (mark = await diskMark(ref))).toBe(true)
          await ask(at, customer(ref), 'create unlogged table fleeting (n int)')
          mark = await diskMark(ref)
          await ask(at, customer(ref), 'insert into fleeting values (1)')
          await expect.poll(() => diskMark(ref)).not.toBe(mark)
          expect(await diskMark(testRef())).toBeUndefined()
          if (has('one disk')) {
            const space = await diskSpace?.()
            expect(space?.free).toBeGreaterThan(0)
            expect(space?.size).toBeGreaterThanOrEqual(space?.free ?? Infinity)
          }
          await provider.destroy(ref)
        })

      if (has('networks'))
        test('the networks of people stand in the rules of the server, also after a restart', async () => {
          const { ref, at } = await created()
          const { setNetworks } = provider
          // A provider of servers that are somebody else's has nothing to say about them.
          if (!setNetworks) throw new Error('This provider cannot restrict networks')
          const rules = (address: DatabaseAddress) =>
            ask(
              address,
              admin(ref),
              `select coalesce(string_agg(address, ' ' order by line_number), '') from pg_hba_file_rules
               where type = 'host' and auth_method = 'scram-sha-256'`,
            )
          expect(await rules(at)).toBe('127.0.0.1')
          for (let i = 0; i < 2; i++) await setNetworks(ref, ['10.0.0.0/8', 'fd00::/8'])
          expect(await rules(at)).toBe('10.0.0.0 fd00::')
          expect(await ask(at, customer(ref), 'select true')).toBe(true)
          const again = await provider.restart(ref)
          expect(await rules(again)).toBe('10.0.0.0 fd00::')
          await setNetworks(ref, [])
          expect(await rules(again)).toBe('')
          await setNetworks(ref, null)
          expect(await rules(again)).toBe('127.0.0.1')
          await setNetworks(testRef(), [])
          await provider.destroy(ref)
        })
      test('every operation may be repeated', async () => {
        const { ref, at } = await created()
        await ask(at, customer(ref), 'create table t as select 7 as n')
        const other = { ...specOf(ref), passwords: { postgres: 'x', service: 'y', admin: 'z' } }
        expect(await provider.create(other)).toEqual(at)
        expect(await provider.start(ref)).toEqual(at)
        expect(await ask(at, customer(ref), 'select n from t')).toBe(7)
        await provider.stop(ref)
        await provider.stop(ref)
        await provider.destroy(ref)
        await provider.destroy(ref)
        expect(await provider.inspect(ref)).toEqual({ state: 'absent' })
      })
      test('destroy leaves nothing, also of a busy project', async () => {
        const { ref, at } = await created()
        const busy = await startBusySession(at, ref)
        await provider.destroy(ref)
        expect(await busy.end).toMatch(/terminat/)
        expect(await harness.tracesOf(ref)).toEqual([])
        expect(await provider.list()).not.toContain(ref)
        const second = await provider.create(specOf(ref))
        expect(await ask(second, customer(ref), "select to_regclass('t')")).toBeNull()
      })
      test('a ref that nobody created', async () => {
        const ref = testRef()
        expect(await provider.inspect(ref)).toEqual({ state: 'absent' })
        expect(await provider.probe(ref)).toBe(false)
        await expect(provider.start(ref)).rejects.toThrow(UnknownProjectError)
        await expect(provider.restart(ref)).rejects.toThrow(UnknownProjectError)
        if (provider.resize)
          await expect(provider.resize(ref, { maxConnections: 60 })).rejects.toThrow(
            UnknownProjectError,
          )
        await provider.stop(ref)
        await provider.destroy(ref)
        expect(await harness.tracesOf(ref)).toEqual([])
      })
      test.each(['', 'short', '../../../etc/passwdxx', 'ABCDEFGHIJKLMNOPQRST', 'a'.repeat(21)])(
        'what is no ref is refused: "%s"',
        async (ref) => {
          await expect(provider.create(specOf(ref))).rejects.toThrow(TypeError)
          await expect(provider.destroy(ref)).rejects.toThrow(TypeError)
          await expect(provider.start(ref)).rejects.toThrow(TypeError)
        },
      )
    })

    if (has('replicas'))
      describe('read replicas', () => {
        replicaTests(() => ({ harness, provider }))
      })

    if (has('backups'))
      describe('backups', () => {
        backupTests(() => ({ harness, provider }), place)
      })

    describe('side by side', () => {
      test('two creates of different projects, and two of the same', async () => {
        const [one, two] = [testRef(), testRef()]
        const [a, b, c] = await Promise.all([one, two, two].map((r) => provider.create(specOf(r))))
        expect(b).toEqual(c)
        if (has('own ports')) expect(a?.port).not.toBe(b?.port)
        expect(a).not.toEqual(b)
        if (!a || !b) throw new Error('three were asked for')
        expect(await ask(a, customer(one), 'select 1')).toBe(1)
        expect(await ask(b, customer(two), 'select 1')).toBe(1)
      })
      test('create and destroy at once end with nothing or a whole project', async () => {
        const ref = testRef()
        await Promise.all([provider.create(specOf(ref)), provider.destroy(ref)])
        expect(await provider.inspect(ref)).toEqual({ state: 'absent' })
        expect(await harness.tracesOf(ref)).toEqual([])
      })
    })

    describe('faults', () => {
      if (has('dead until started'))
        test('a killed server is told as stopped, and start brings every row back', async () => {
          const { ref, at } = await created()
          await ask(at, customer(ref), 'create table t as select generate_series(1, 1000) as n')
          const busy = await startBusySession(at, ref)
          await harness.killServer(ref)
          expect(await harness.tracesOf(ref)).toContainEqual(expect.stringContaining('process'))
          expect(await provider.inspect(ref)).toEqual({ state: 'stopped' })
          expect(await provider.probe(ref)).toBe(false)
          const again = await provider.start(ref)
          expect(await ask(again, customer(ref), 'select count(*)::int from t')).toBe(1000)
          expect(await busy.end).toMatch(/terminat/)
          await provider.stop(ref)
          expect(await harness.tracesOf(ref)).not.toContainEqual(expect.stringContaining('process'))
        })
      test('a project whose server was killed can be destroyed', async () => {
        const { ref } = await created()
        await harness.killServer(ref)
        await provider.destroy(ref)
        expect(await harness.tracesOf(ref)).toEqual([])
      })
      test('what a killed create left is listed, is no project, and the next create starts over', async () => {
        const [one, two] = [testRef(), testRef()]
        await harness.leaveHalfCreated(one)
        await harness.leaveHalfCreated(two)
        provider = await harness.reopen()
        expect(await provider.list()).toEqual(expect.arrayContaining([one, two]))
        expect(await provider.inspect(one)).toEqual({ state: 'absent' })
        await expect(provider.start(one)).rejects.toThrow(UnknownProjectError)
        const at = await provider.create(specOf(one))
        expect(await ask(at, customer(one), 'select 1')).toBe(1)
        await provider.destroy(one)
        await provider.destroy(two)
        expect(await harness.tracesOf(one)).toEqual([])
        expect(await harness.tracesOf(two)).toEqual([])
      })
      test('after a kill of the platform the next one takes the running projects over', async () => {
        const { ref, at } = await created()
        provider = await harness.reopen()
        expect(await provider.inspect(ref)).toEqual({ state: 'running', address: at })
        expect(await provider.start(ref)).toEqual(at)
        await provider.destroy(ref)
        expect(await harness.tracesOf(ref)).toEqual([])
      })
    })
  })
}

/** A session that only computes, which no server can wait for; `end` becomes the error that ends it. */
async function busySession(at: DatabaseAddress, login: Login): Promise<{ end: Promise<string> }> {
  const loop = 'do $$ begin loop perform 1; end loop; end $$'
  const end = ask(at, login, loop).then(String, String)
  const active = "select count(*)::int from pg_stat_activity where query like 'do $$ begin%'"
  await waitUntil(async () => (await ask(at, login, active)) === 1, 5000)
  return { end }
}
