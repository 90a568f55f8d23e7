import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ConfigError, readConfig, type Config } from '#kit/config'
import { root } from '#kit/root'

/** The settings, or an end with one line for each that is wrong. */
export function configOrExit(): Config {
  try {
    return readConfig(process.env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    exitWith(error.message)
  }
}

/** Says one line to the person who started this, and ends. */
export function exitWith(line: string): never {
  process.stderr.write(`plinth: ${line}\n`)
  process.exit(1)
}

/** Version of this installation, from package.json. */
export function version(): string {
  const { version: found } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    version: string
  }
  return found
}

/**
 * Ends this program at once when the one that started it has gone, however that ended: nothing here needs a farewell to be
 * safe. To be called first, because the parent may go while this program still starts.
 */
export function endWithParent(): void {
  if (process.send === undefined) return
  process.on('disconnect', () => process.exit(1))
  if (!process.connected) process.exit(1)
}

/**
 * What every program does at its end: SIGTERM drains and stops, within a deadline. Below a parent, Ctrl-C is the
 * parent's to handle.
 */
export function endWith(
  close: () => Promise<void>,
  log: { error: (o: object, m: string) => void },
) {
  const child = process.send !== undefined
  let ending = false
  const end = () => {
    if (ending) return
    ending = true
    const force = setTimeout(() => process.exit(1), 8000)
    force.unref()
    leftOut()
      .then(close)
      .then(() => process.exit(0))
      .catch((error: unknown) => {
        log.error({ err: error }, 'could not end in good order')
        process.exit(1)
      })
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', child ? () => undefined : end)
}

/** Milliseconds in which the parent has answered, and in which what was on its way has arrived. */
const [answerMs, arrivalMs] = [1000, 50]

/** Until the parent, if there is one, lets nobody new come to this program: a connection that is made as it closes is lost. */
async function leftOut(): Promise<void> {
  if (!process.send || !process.connected) return
  const answer = new Promise<void>((resolve) => {
    process.on('message', (message) => message === 'left out' && resolve())
  })
  // Without a parent nobody answers, and this waits no longer than that.
  process.send('ending', () => undefined)
  await Promise.race([answer.then(() => delay(arrivalMs)), delay(answerMs)])
}

/** Tells the parent, if there is one, that this program serves. */
export function sayReady(): void {
  process.send?.('ready')
}
