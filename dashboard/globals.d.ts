/// <reference types="vite/client" />

/** Made by build/deno-types.ts. */
declare module 'virtual:deno-types' {
  const types: string
  export default types
}

declare module 'monaco-editor/esm/vs/basic-languages/typescript/typescript.js' {
  type Languages = typeof import('monaco-editor/esm/vs/editor/editor.api.js').languages
  export const conf: Parameters<Languages['setLanguageConfiguration']>[1]
  export const language: Parameters<Languages['setMonarchTokensProvider']>[1]
}

interface Window {
  /** Made by public/first.js before the first paint. */
  plinthTheme?: {
    get: () => 'system' | 'dark' | 'light' | 'classic-dark'
    set: (choice: 'system' | 'dark' | 'light' | 'classic-dark') => void
  }
  /** What public/first.js has asked for in advance. */
  plinthEarly?: import('./api/early.ts').Early
}

interface ImportMetaEnv {
  /** Builds /__ui into a production bundle, for the browser tests. */
  readonly VITE_UI_GALLERY: string
}
