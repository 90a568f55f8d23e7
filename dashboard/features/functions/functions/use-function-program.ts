import { useCallback, useEffect, useRef } from 'react'
import type { FunctionFile } from '#contract/functions/functions'
import type { Program } from '../../../ui/code/typescript-program.ts'
import { mappedTypes, runtimeTypes } from './runtime-types.ts'

const isScript = (path: string) => /\.[cm]?[jt]sx?$/.test(path)

async function open(): Promise<Program> {
  const [{ openProgram }, { default: deno }] = await Promise.all([
    import('../../../ui/code/typescript-program.ts'),
    import('virtual:deno-types'),
  ])
  const types = [
    ['deno.d.ts', deno],
    ['runtime.d.ts', runtimeTypes],
  ] as const
  return openProgram(new Map(deno === '' ? [] : types))
}

/**
 * Lets the editor know what the files of a function mean, also to each other. Returns where a file stands in that;
 * without a network nowhere, and it is written as plain text is.
 */
export function useFunctionProgram(files: readonly FunctionFile[], chosen: string | undefined) {
  const opening = useRef<Promise<Program | undefined>>(undefined)
  const program = useCallback(() => (opening.current ??= open().catch(() => undefined)), [])
  useEffect(
    () => () => {
      void opening.current?.then((opened) => opened?.dispose())
      opening.current = undefined
    },
    [],
  )
  useEffect(() => {
    const others = files.filter(
      ({ path, encoding }) => encoding === 'utf8' && isScript(path) && path !== chosen,
    )
    const texts = new Map(others.map(({ path, content }) => [path, content]))
    void program().then((opened) => opened?.setFiles(texts, mappedTypes(files)))
  }, [files, chosen, program])
  return useCallback(
    async (path: string) => (isScript(path) ? (await program())?.fileAt(path) : undefined),
    [program],
  )
}
