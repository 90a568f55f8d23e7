import { FilePlus2, Pencil, Trash2, Upload } from 'lucide-react'
import { useRef, useState, useCallback, useEffect } from 'react'
import type { FunctionFile } from '#contract/functions/functions'
import { Button } from '../../../ui/controls/Button.tsx'
import { CodeField } from '../../../ui/controls/CodeField.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { FormDialog } from '../../../ui/floats/FormDialog.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import type { Program } from '../../../ui/code/typescript-program.ts'
import { readFiles, withFiles, FunctionPath } from './function-files.ts'

type Props = {
  files: readonly FunctionFile[]
  /** The file that cannot be taken away. */
  entrypoint: string
  readOnly: boolean
  onFiles: (files: FunctionFile[]) => void
}

/** The files of a function and the text of one of them. */
export function CodeFiles({ files, entrypoint, readOnly, onFiles }: Props) {
  const [chosen, setChosen] = useState(entrypoint)
  const [adding, setAdding] = useState(false)
  const [renaming, setRenaming] = useState<string>()
  const picker = useRef<HTMLInputElement>(null)
  const open = files.find(({ path }) => path === chosen) ?? files[0]
  const paths = files.map(({ path }) => path)
  const fileAt = useFunctionProgram(files, open?.path)

  async function take(input: HTMLInputElement): Promise<void> {
    try {
      const added = await readFiles(input.files ?? [])
      onFiles(withFiles(files, added))
      if (added[0]) setChosen(added[0].path)
    } catch (error) {
      toast.error('The files were not imported', {
        description: error instanceof Error ? error.message : undefined,
      })
    }
    // The same file may be chosen again.
    input.value = ''
  }

  return (
    <div className="function-code">
      <div className="function-files">
        <ul aria-label="Files">
          {files.map(({ path }) => (
            <li key={path}>
              <button
                type="button"
                className="mono"
                aria-current={path === open?.path}
                onClick={() => setChosen(path)}
              >
                {path}
              </button>
              {path !== entrypoint && !readOnly && (
                <IconButton
                  icon={Pencil}
                  label={`Rename ${path}`}
                  onClick={() => setRenaming(path)}
                />
              )}
              {path !== entrypoint && !readOnly && (
                <IconButton
                  icon={Trash2}
                  label={`Delete ${path}`}
                  onClick={() => onFiles(files.filter((file) => file.path !== path))}
                />
              )}
            </li>
          ))}
        </ul>
        {!readOnly && (
          <>
            <Button variant="ghost" icon={FilePlus2} onClick={() => setAdding(true)}>
              Add file
            </Button>
            <Button variant="ghost" icon={Upload} onClick={() => picker.current?.click()}>
              Import files
            </Button>
            <input
              ref={picker}
              type="file"
              multiple
              hidden
              aria-label="Files to import"
              onChange={(event) => void take(event.currentTarget)}
            />
          </>
        )}
      </div>
      {open?.encoding === 'base64' ? (
        <p className="muted">{open.path} is no text. It is deployed as it is.</p>
      ) : (
        open && (
          <CodeField
            key={open.path}
            label={`Code of ${open.path}`}
            language="typescript"
            file={() => fileAt(open.path)}
            isProgram
            lines="fill"
            readOnly={readOnly}
            value={open.content}
            onValue={(content) =>
              onFiles(files.map((file) => (file.path === open.path ? { ...file, content } : file)))
            }
          />
        )
      )}
      {adding && (
        <FileName
          title="Add a file"
          verb="Add file"
          taken={paths}
          onClose={() => setAdding(false)}
          onName={(path) => {
            onFiles([...files, { path, content: '', encoding: 'utf8' }])
            setChosen(path)
            setAdding(false)
          }}
        />
      )}
      {renaming !== undefined && (
        <FileName
          title={`Rename ${renaming}`}
          verb="Rename file"
          before={renaming}
          taken={paths}
          onClose={() => setRenaming(undefined)}
          onName={(path) => {
            onFiles(files.map((file) => (file.path === renaming ? { ...file, path } : file)))
            setChosen(path)
            setRenaming(undefined)
          }}
        />
      )}
    </div>
  )
}

type FileNameProps = {
  title: string
  verb: string
  /** The path that it has so far. */
  before?: string
  taken: readonly string[]
  onName: (path: string) => void
  onClose: () => void
}

/** Asks what a file is called. */
function FileName({ title, verb, before = '', taken, onName, onClose }: FileNameProps) {
  const [path, setPath] = useState(before)
  const [tried, setTried] = useState(false)
  const isTaken = path !== before && taken.includes(path)
  const problem = isTaken ? 'A file with this path already exists' : FunctionPath.problem(path)
  return (
    <FormDialog
      title={title}
      verb={verb}
      pending={false}
      onClose={onClose}
      onSubmit={() => (problem ? setTried(true) : onName(path))}
    >
      <TextField
        label="Path"
        mono
        autoComplete="off"
        help="Such as words.ts, deno.json or shared/cors.ts."
        error={tried ? problem : undefined}
        value={path}
        onChange={(event) => setPath(event.target.value.trim())}
      />
    </FormDialog>
  )
}

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
function useFunctionProgram(files: readonly FunctionFile[], chosen: string | undefined) {
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

/** What functions find besides what Deno itself offers (contracts/functions.md). */
const runtime = `
declare namespace EdgeRuntime {
  /** Keeps the function running until the promise has settled, also when its answer was sent before. */
  function waitUntil<T>(promise: Promise<T>): Promise<T>
}
declare namespace JSX {
  type Element = any
  interface IntrinsicElements { [name: string]: any }
}
`
/** Where modules come from that are not the function's own: what is in them is known when it runs. */
const elsewhere = ['npm:*', 'jsr:*', 'node:*', 'http:*', 'https:*', 'data:*', '*.json', '*.wasm']

const runtimeTypes = runtime + elsewhere.map(declared).join('')

/** Declares the names that a function's own import map gives to modules. A map that is no JSON yet gives none. */
export function mappedTypes(files: readonly FunctionFile[]): string {
  const maps = files.filter(({ path }) => /(?:^|\/)(?:deno\.jsonc?|import_map\.json)$/.test(path))
  const names = maps.flatMap(({ content }) => namesIn(content))
  return [...new Set(names)].map(declared).join('')
}

function namesIn(text: string): string[] {
  try {
    const { imports }: { imports?: unknown } = Object(JSON.parse(text))
    const names = Object.keys(Object(imports)).filter((name) => !name.includes('*'))
    return names.map((name) => (name.endsWith('/') ? `${name}*` : name))
  } catch {
    return []
  }
}

function declared(name: string): string {
  return `declare module ${JSON.stringify(name)}\n`
}
