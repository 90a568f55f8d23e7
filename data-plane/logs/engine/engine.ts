import { existsSync } from 'node:fs'
import type { DuckDBConnection } from '@duckdb/node-api'
import { answer, BadPattern, pathsOfStatement } from './answer.ts'
import type { Library } from './instance.ts'
import { pack } from './pack.ts'
import { QueryRefusal } from '../dialect/node.ts'
import { query } from './query.ts'
import type { Ask, Failure, FromEngine, Pack, Query, ToEngine } from './protocol.ts'

/**
 * The program that answers questions about logs and packs them: the only one that loads the engine. It is started by who
 * asks, talks to nobody else, and has neither settings nor secrets. It does one thing at a time.
 */
export function runEngine(): void {
  const say = (message: FromEngine) => process.send?.(message)
  let running: DuckDBConnection | undefined
  let library: Library | undefined
  let memoryMb = 0

  // Whoever asked is gone. The engine's own threads would hold up an ordered end until they have answered.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))

  async function begin(message: ToEngine & { kind: 'begin' }): Promise<void> {
    ;({ memoryMb } = message)
    try {
      library = await import('@duckdb/node-api')
      // Whatever is read later is there: the user that comes now may not be able to reach it.
      await warmUp(library)
    } catch (error) {
      say({ missing: wordsOf(error) })
      return
    }
    if (message.user) become(message.user)
    say({ ready: true })
  }
  async function work(message: Ask | Pack | Query): Promise<void> {
    const { id } = message
    try {
      if (!library) throw new Error('The engine has not begun')
      const opened = (connection: DuckDBConnection) => void (running = connection)
      if (message.kind === 'ask') say({ id, ...(await answer(library, memoryMb, message, opened)) })
      else if (message.kind === 'query')
        say({ id, ...(await query(library, memoryMb, message, opened)) })
      else say({ id, packed: await pack(library, memoryMb, message, opened) })
    } catch (error) {
      say({ id, failure: failureOf(error, message), message: wordsOf(error) })
    } finally {
      running = undefined
    }
  }
  const onMessage = async (message: ToEngine): Promise<void> => {
    if (message.kind === 'begin') await begin(message)
    else if (message.kind === 'interrupt') running?.interrupt()
    else await work(message)
  }
  // What comes over this channel is what `start-engine.ts` sends.
  process.on('message', (message) => void onMessage(message as ToEngine))
}

async function warmUp({ DuckDBInstance }: Library): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  const connection = await instance.connect()
  await connection.runAndReadAll('select 1')
  connection.closeSync()
  instance.closeSync()
}

/** From now on this process may do what that user may, and cannot go back. */
export function become({ uid, gid }: { uid: number; gid: number }): void {
  process.setgroups?.([])
  process.setgid?.(gid)
  process.setuid?.(uid)
  if (process.getuid?.() !== uid || process.getgid?.() !== gid)
    throw new Error('This process could not become its reader')
}

const wordsOf = (error: unknown) =>
  (error instanceof Error ? error.message : String(error)).slice(0, 1000)

/** The engine tells its errors apart by their first words only; about a file that is gone it has words of all kinds. */
function failureOf(error: unknown, message: Ask | Pack | Query): Failure {
  if (error instanceof QueryRefusal) return 'refused'
  if (error instanceof BadPattern) return 'pattern'
  const words = wordsOf(error)
  if (words.startsWith('Out of Memory Error')) return 'memory'
  if (/^INTERRUPT/i.test(words)) return 'interrupted'
  return pathsOf(message).every((path) => existsSync(path)) ? 'other' : 'moved'
}

const pathsOf = (message: Ask | Pack | Query): string[] =>
  message.kind === 'ask'
    ? message.statements.flatMap(pathsOfStatement)
    : [...message.files.lines, ...message.files.packed]
