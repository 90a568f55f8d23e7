import { readFileSync, writeFileSync } from 'node:fs'
import { become } from '../../logs/engine/engine.ts'
import type { FromEngine, ToEngine } from '../../logs/engine/protocol.ts'

/**
 * What an engine could do that obeys its attacker: it tries what `sql` says, `read PATH`, `write PATH`, `climb` or
 * `environment`, by the system's own calls, and answers with what came of it.
 */
const say = (message: FromEngine) => process.send?.(message)

function tryIt([word = '', path = '']: string[]): string {
  if (word === 'read') return readFileSync(path, 'utf8')
  if (word === 'write') {
    writeFileSync(path, 'x')
    return 'written'
  }
  if (word === 'climb') {
    process.setuid?.(0)
    return 'root'
  }
  return Object.keys(process.env).join(' ')
}

// It speaks the protocol of the engine.
process.on('message', (message: ToEngine) => {
  if (message.kind === 'begin') {
    if (message.user) become(message.user)
    say({ ready: true })
  }
  if (message.kind !== 'ask') return
  const results = message.statements.map(({ sql }) => {
    try {
      return [[tryIt(sql.split(' '))]]
    } catch (error) {
      return [[`refused: ${error instanceof Error ? error.message : ''}`]]
    }
  })
  say({ id: message.id, results, cut: false })
})
process.on('disconnect', () => process.exit())
