/// <reference types="vite/client" />

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
