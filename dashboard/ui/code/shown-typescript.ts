import { conf, language } from 'monaco-editor/esm/vs/basic-languages/typescript/typescript.js'
import { monaco } from './monaco.ts'

/** TypeScript that is only coloured: nobody looks at what it means, and nothing is loaded for that. */
export const shownTypescript = 'shown-typescript'
monaco.languages.register({ id: shownTypescript })
monaco.languages.setLanguageConfiguration(shownTypescript, conf)
monaco.languages.setMonarchTokensProvider(shownTypescript, language)
