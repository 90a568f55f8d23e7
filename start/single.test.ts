import { mkdtempSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { holdHome } from './single.ts'

function newHome() {
  const home = mkdtempSync(join(tmpdir(), 'plinth-single-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  return home
}

test('one process at a time has a home', async () => {
  const home = newHome()
  const first = await holdHome(home)
  expect(await holdHome(home, 200)).toBeUndefined()
  expect(await holdHome(newHome(), 0)).toBeDefined()
  first?.close()
})

test('a home whose process is just ending is waited for', async () => {
  const home = newHome()
  const first = await holdHome(home)
  const next = holdHome(home)
  await delay(200)
  if (!first) throw new Error('The home is free')
  first.close()
  await once(first, 'close')
  const held = await next
  expect(held).toBeDefined()
  held?.close()
})
