import { randomUUID } from 'node:crypto'
import { createFileBackend } from '../../storage/backends/file-backend.ts'

/** The program that the crash test kills: it writes one object after the other and says which it has taken. */
const [root = '', ref = ''] = process.argv.slice(2)
const backend = createFileBackend(root)
const block = Buffer.alloc(64 * 1024, 'x')

async function* bytes() {
  for (let part = 0; part < 8; part++) {
    await new Promise(setImmediate)
    yield block
  }
}

async function writeOn(): Promise<never> {
  for (;;) {
    const version = randomUUID()
    await backend.write({ ref, version }, bytes())
    process.stdout.write(`${version}\n`)
  }
}

// Several at once, so that whenever it is killed some are half done.
await Promise.all(Array.from({ length: 4 }, writeOn))
