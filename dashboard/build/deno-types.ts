import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Plugin } from 'vite'

const run = promisify(execFile)

/** What `import types from 'virtual:deno-types'` names. */
const id = 'virtual:deno-types'

/**
 * The types of what a function finds when it runs, as one text: what the Deno program says that runs it here. Empty where
 * there is no Deno for the machine that builds.
 */
export function denoTypes(): Plugin {
  return {
    name: 'plinth:deno-types',
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    async load(source) {
      if (source !== `\0${id}`) return undefined
      const program = denoProgram()
      const text = program === undefined ? '' : await typesOf(program)
      return `export default ${JSON.stringify(text)}`
    },
  }
}

function denoProgram(): string | undefined {
  const { resolve } = createRequire(import.meta.url)
  for (const end of ['-glibc', '']) {
    try {
      const name = `@deno/${process.platform}-${process.arch}${end}/package.json`
      return join(dirname(resolve(name)), 'deno')
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND')) {
        throw error
      }
    }
  }
  return undefined
}

async function typesOf(program: string): Promise<string> {
  const env = { NO_COLOR: '1', DENO_NO_UPDATE_CHECK: '1' }
  const { stdout } = await run(program, ['types'], { env, maxBuffer: 32 * 1024 * 1024 })
  return withoutReferences(stdout)
}

/** The libraries it refers to are all part of it; those of the language itself are named by whoever reads it. */
export const withoutReferences = (types: string): string =>
  types.replace(/^\/\/\/ <reference [^\n]*\n/gm, '')
