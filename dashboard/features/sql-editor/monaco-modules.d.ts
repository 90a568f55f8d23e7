// Parts of the editor that come without types of their own.
declare module 'monaco-editor/esm/vs/basic-languages/pgsql/pgsql.js' {
  import type { languages } from 'monaco-editor/esm/vs/editor/editor.api.js'
  export const conf: languages.LanguageConfiguration
  export const language: languages.IMonarchLanguage & {
    keywords: string[]
    builtinFunctions: string[]
  }
}
