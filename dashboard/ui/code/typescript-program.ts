// What files of TypeScript mean: completion, hover and problems. The compiler is far larger than the editor, so it is
// loaded where programs are written, and runs in a worker of its own.
import 'monaco-editor/esm/vs/basic-languages/typescript/typescript.contribution.js'
import 'monaco-editor/esm/vs/language/typescript/monaco.contribution.js'
// oxlint-disable-next-line import/default -- the bundler makes this one
import TypescriptWorker from 'monaco-editor/esm/vs/language/typescript/ts.worker.js?worker'
import { languageWorkers, monaco } from './monaco.ts'

languageWorkers.set('typescript', () => new TypescriptWorker())

const { typescriptDefaults, ScriptTarget, ModuleKind, JsxEmit } = monaco.languages.typescript
/** As Deno does; the editor's own list of these ends earlier. */
const bundler: number = 100
const force = 3
typescriptDefaults.setCompilerOptions({
  target: ScriptTarget.ESNext,
  module: ModuleKind.ESNext,
  moduleResolution: bundler,
  moduleDetection: force,
  lib: ['lib.esnext.d.ts'],
  allowImportingTsExtensions: true,
  allowJs: true,
  noEmit: true,
  resolveJsonModule: true,
  jsx: JsxEmit.Preserve,
  strict: true,
  // What packages are is not known here, so neither is what they hand to a function.
  noImplicitAny: false,
})

/** Files that know of each other, and of nothing else in the page. */
export type Program = {
  /** The name of a file as the editor has it. */
  fileAt(path: string): monaco.Uri
  /** The files that are not open in the editor, by path: an open one is known by its text there; and what is declared for all. */
  setFiles(files: ReadonlyMap<string, string>, declared: string): void
  dispose(): void
}
type Text = { text: string; held: monaco.IDisposable }

let opened = 0

/** `types`: what is there without an import, by name. Without any, only what is no TypeScript at all is a problem. */
export function openProgram(types: ReadonlyMap<string, string>): Program {
  const root = `/program-${(opened += 1)}`
  const fileAt = (path: string) => monaco.Uri.from({ scheme: 'file', path: `${root}/${path}` })
  const held = new Map<string, Text>()
  const hold = (name: string, text: string) => {
    const before = held.get(name)
    if (before?.text === text) return
    // The one before goes with its version: what is held is replaced, not added.
    held.set(name, { text, held: typescriptDefaults.addExtraLib(text, name) })
  }
  for (const [name, text] of types) hold(`file:///types/${name}`, text)
  const always = new Set(held.keys())
  typescriptDefaults.setDiagnosticsOptions({
    noSemanticValidation: types.size === 0,
    noSyntaxValidation: false,
  })
  return {
    fileAt,
    setFiles(files, declared) {
      const names = new Map([...files].map(([path, text]) => [fileAt(path).toString(), text]))
      names.set(`file:///types${root}.d.ts`, declared)
      for (const [name, text] of names) hold(name, text)
      for (const [name, { held: lib }] of held) {
        if (always.has(name) || names.has(name)) continue
        lib.dispose()
        held.delete(name)
      }
    },
    dispose() {
      for (const { held: lib } of held.values()) lib.dispose()
      held.clear()
    },
  }
}
