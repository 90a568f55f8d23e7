import { MutationObserver, onlineManager, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { CallError } from './call-error.ts'
import { changeOptions, forget, queryClient, type ChangeOptions } from './client.ts'

afterEach(() => queryClient.clear())

/** A machine with much else to do takes its time. */
const soon = <T>(look: () => T) => vi.waitFor(look, 20_000)

/** Lets everything run that does not wait for us. */
const settled = async () => {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve()
}

/** Something that is read once already and is on the screen. Each further read waits until it is answered here. */
async function onScreen(name: string) {
  const reads: { answer: (data: string) => void; fail: (error: Error) => void }[] = []
  const query = new QueryObserver<string>(queryClient, {
    queryKey: [name, {}],
    queryFn: () =>
      new Promise((answer, fail) => {
        reads.push({ answer, fail })
      }),
    retry: 3,
    retryDelay: 3_600_000,
    staleTime: 3_600_000,
  })
  onTestFinished(query.subscribe(() => undefined))
  const read = (at: number) => soon(() => reads[at] ?? expect.fail(`no read ${at} of ${name}`))
  ;(await read(0)).answer('before')
  await soon(() => expect(query.getCurrentResult().data).toBe('before'))
  return { reads, read, shown: () => query.getCurrentResult().data, query }
}

/** A change that is made at once; `said` has what followed, in its order. */
function change(options: ChangeOptions<string, string>) {
  const said: string[] = []
  const observer = new MutationObserver(
    queryClient,
    changeOptions((sent: string) => Promise.resolve(`${sent} made`), {
      onSuccess: (data) => void said.push(`success: ${data}`),
      onError: (error) => void said.push(`error: ${error.message}`),
      ...options,
    }),
  )
  onTestFinished(observer.subscribe(() => undefined))
  return { said, observer, made: observer.mutate('it') }
}

test('what follows a change runs when what is on the screen has been read again', async () => {
  const list = await onScreen('things.list')
  const one = await onScreen('things.one')
  const other = await onScreen('other.list')
  const shown: (string | undefined)[] = []
  const { said, observer, made } = change({
    changes: [{ name: 'things.list' }, { name: 'things.one' }],
    onSuccess: () => void shown.push(list.shown(), one.shown()),
  })
  ;(await list.read(1)).answer('after')
  await soon(() => expect(list.shown()).toBe('after'))
  await settled()
  expect(shown).toEqual([])
  expect(observer.getCurrentResult().isPending).toBe(true)
  ;(await one.read(1)).answer('after, too')
  expect(await made).toBe('it made')
  expect(shown).toEqual(['after', 'after, too'])
  expect(observer.getCurrentResult().isSuccess).toBe(true)
  expect(other.reads).toHaveLength(1)
  expect(said).toEqual([])
})

test('a failing read does not make a change fail, and its retries hold up nobody', async () => {
  const list = await onScreen('things.list')
  const { said, made } = change({ changes: [{ name: 'things.list' }] })
  ;(await list.read(1)).fail(new Error('not now'))
  await made
  expect(said).toEqual(['success: it made'])
  expect(list.query.getCurrentResult()).toMatchObject({ data: 'before', fetchStatus: 'fetching' })
})

test('without a network, and for who has gone meanwhile, nothing is waited for', async () => {
  const list = await onScreen('things.list')
  const waiting = forget({ name: 'things.list' })
  await list.read(1)
  list.query.destroy()
  queryClient.removeQueries({ queryKey: ['things.list'] })
  await waiting

  const next = await onScreen('things.next')
  onTestFinished(() => onlineManager.setOnline(true))
  onlineManager.setOnline(false)
  await forget({ name: 'things.next' })
  expect(next.query.getCurrentResult().fetchStatus).toBe('paused')
})

test('a read that never answers is waited for no longer than a while', async () => {
  const list = await onScreen('things.list')
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { said, made } = change({ changes: [{ name: 'things.list' }] })
  await vi.advanceTimersByTimeAsync(14_000)
  expect([list.reads.length, said]).toEqual([2, []])
  await vi.advanceTimersByTimeAsync(2_000)
  await made
  expect(said).toEqual(['success: it made'])
})

test('a first reading that began before the change is followed by another', async () => {
  const reads: ((data: string) => void)[] = []
  const query = new QueryObserver<string>(queryClient, {
    queryKey: ['things.list', {}],
    queryFn: () => new Promise((answer) => reads.push(answer)),
  })
  onTestFinished(query.subscribe(() => undefined))
  const { said, made } = change({ changes: [{ name: 'things.list' }] })
  await soon(() => expect(reads).toHaveLength(1))
  await settled()
  reads[0]?.('before')
  await soon(() => expect(reads).toHaveLength(2))
  expect(said).toEqual([])
  reads[1]?.('after')
  await made
  expect([query.getCurrentResult().data, said]).toEqual(['after', ['success: it made']])
})

test('what is not on the screen is only marked as old', async () => {
  queryClient.setQueryData(['things.list', {}], 'before')
  await change({ changes: [{ name: 'things.list' }] }).made
  expect(queryClient.getQueryState(['things.list', {}])).toMatchObject({
    data: 'before',
    isInvalidated: true,
    fetchStatus: 'idle',
  })
})

test('a page that is about what is gone is left before anything is read again', async () => {
  const list = await onScreen('things.list')
  const one = await onScreen('things.one')
  let go = () => {}
  const gone = new Promise<void>((resolve) => (go = resolve))
  const { said, made } = change({
    changes: [{ name: 'things.list' }, { name: 'things.one' }],
    onAnswer: async () => {
      await gone
      one.query.destroy()
    },
  })
  await settled()
  expect(list.reads).toHaveLength(1)
  go()
  ;(await list.read(1)).answer('after')
  await made
  expect(said).toEqual(['success: it made'])
  expect(one.reads).toHaveLength(1)
})

test('what follows speaks of what was there when somebody acted', async () => {
  const list = await onScreen('things.list')
  const told: string[] = []
  const of = (render: string) =>
    changeOptions((sent: string) => Promise.resolve(sent), {
      changes: [{ name: 'things.list' }],
      onSuccess: () => void told.push(render),
    })
  const observer = new MutationObserver(queryClient, of('before'))
  onTestFinished(observer.subscribe(() => undefined))
  const made = observer.mutate('it')
  const read = await list.read(1)
  // What has been read is shown, which gives the mutation other options.
  observer.setOptions(of('after'))
  read.answer('after')
  await made
  expect(told).toEqual(['before'])
})

test('what is changed may depend on the answer, and on what was sent', async () => {
  const list = await onScreen('things.it')
  const { made } = change({
    changes: (data, sent) => (data === 'it made' ? [{ name: `things.${sent}` }] : []),
  })
  ;(await list.read(1)).answer('after')
  await made
  expect(list.shown()).toBe('after')
})

test('a change that is refused reads nothing again', async () => {
  const list = await onScreen('things.list')
  const said: string[] = []
  const options = changeOptions<string, string>(
    () => Promise.reject(new CallError('No', { code: 403 })),
    {
      changes: [{ name: 'things.list' }],
      onAnswer: () => void said.push('answer'),
      onSuccess: () => void said.push('success'),
      onError: ({ message }) => void said.push(message),
    },
  )
  await expect(new MutationObserver(queryClient, options).mutate('it')).rejects.toThrow('No')
  expect(said).toEqual(['No'])
  expect(list.reads).toHaveLength(1)
})
