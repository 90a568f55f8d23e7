import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { authorizeInWindow, leaveAnswer, newState, type Outcome } from './github-popup.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A browser's storage, without the browser. */
function storage() {
  const items = new Map<string, string>()
  return {
    items,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  }
}

/** Begins to ask; `state` is what the other place would come back with. */
async function ask(kept = storage()) {
  const other = {
    closed: false,
    looks: 0,
    close: () => void (other.closed = true),
    location: { href: 'about:blank' },
  }
  const seen: { state: string; outcome?: Outcome } = { state: '' }
  const window = new Proxy(other, {
    get(target, name) {
      if (name === 'closed') target.looks += 1
      return Reflect.get(target, name)
    },
  })
  const done = authorizeInWindow({
    open: () => window,
    addressFor: async (state) => {
      seen.state = state
      return `https://github.test/authorize?state=${state}`
    },
    kept,
  }).then((outcome) => void (seen.outcome = outcome))
  await vi.advanceTimersByTimeAsync(0)
  return { other, kept, seen, done }
}

test('the state is 32 random letters and digits, new each time, and is stored', async () => {
  expect(new Set(Array.from({ length: 500 }, newState)).size).toBe(500)
  const { kept, seen, other } = await ask()
  expect(seen.state).toMatch(/^[A-Za-z0-9]{32}$/)
  expect([...kept.items.values()]).toEqual([seen.state])
  expect(other.location.href).toContain(seen.state)
  other.close()
  await vi.advanceTimersByTimeAsync(500)
})

test('every 500 ms it is looked whether the window was closed', async () => {
  const { other, seen, kept } = await ask()
  await vi.advanceTimersByTimeAsync(499)
  expect(other.looks).toBe(0)
  await vi.advanceTimersByTimeAsync(1)
  expect(other.looks).toBe(1)
  await vi.advanceTimersByTimeAsync(2000)
  expect(other.looks).toBe(5)
  other.close()
  await vi.advanceTimersByTimeAsync(499)
  expect(seen.outcome).toBeUndefined()
  await vi.advanceTimersByTimeAsync(1)
  expect(seen.outcome).toEqual({ kind: 'closed' })
  expect(vi.getTimerCount()).toBe(0)
  // The window may only look closed.
  expect(leaveAnswer(kept, { state: seen.state, refusal: undefined })).toBe(true)
})

test('it stops after 5 minutes, and closes the window', async () => {
  const { other, seen, kept } = await ask()
  await vi.advanceTimersByTimeAsync(5 * 60_000 - 1)
  expect(seen.outcome).toBeUndefined()
  await vi.advanceTimersByTimeAsync(1)
  expect(seen.outcome).toEqual({ kind: 'expired' })
  expect(other.closed).toBe(true)
  expect(kept.items.size).toBe(0)
  expect(vi.getTimerCount()).toBe(0)
})

test.each([
  [undefined, { kind: 'authorized' }],
  ['The sign-in was cancelled', { kind: 'refused', message: 'The sign-in was cancelled' }],
])('an answer with the stored state counts (%s)', async (refusal, outcome) => {
  const { kept, seen, other } = await ask()
  expect(leaveAnswer(kept, { state: seen.state, refusal })).toBe(true)
  await vi.advanceTimersByTimeAsync(500)
  expect(seen.outcome).toEqual(outcome)
  expect(other.closed).toBe(true)
})

test.each(['', undefined, 'x'.repeat(32)])('an answer with state %j does not', async (state) => {
  const { kept, seen, other } = await ask()
  expect(leaveAnswer(kept, { state, refusal: undefined })).toBe(false)
  await vi.advanceTimersByTimeAsync(1000)
  expect(seen.outcome).toBeUndefined()
  other.close()
  await vi.advanceTimersByTimeAsync(500)
})

test('nobody asked: no answer is left', () => {
  expect(leaveAnswer(storage(), { state: newState(), refusal: undefined })).toBe(false)
})

test('an answer to an earlier question is not one to this', async () => {
  const first = await ask()
  leaveAnswer(first.kept, { state: first.seen.state, refusal: undefined })
  const second = await ask(first.kept)
  expect(leaveAnswer(second.kept, { state: first.seen.state, refusal: undefined })).toBe(false)
  await vi.advanceTimersByTimeAsync(500)
  expect(second.seen.outcome).toBeUndefined()
  second.other.close()
  await vi.advanceTimersByTimeAsync(500)
})

test('a browser that opens no window says so', async () => {
  const asked = authorizeInWindow({
    open: () => null,
    addressFor: async () => 'https://github.test',
    kept: storage(),
  })
  expect(await asked).toEqual({ kind: 'blocked' })
})

test('without an address the window goes away again', async () => {
  let closed = false
  const asked = authorizeInWindow({
    open: () => ({ closed: false, close: () => void (closed = true), location: { href: '' } }),
    addressFor: () => Promise.reject(new Error('manual linking is off')),
    kept: storage(),
  })
  await expect(asked).rejects.toThrow('manual linking is off')
  expect(closed).toBe(true)
})
