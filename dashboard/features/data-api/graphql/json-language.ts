import { monaco } from '../../../ui/code/monaco.ts'

/** The colours of JSON; the editor's own language service would be a megabyte for them. */
export const jsonLanguage = 'plinth-json'

monaco.languages.register({ id: jsonLanguage })
monaco.languages.setLanguageConfiguration(jsonLanguage, {
  brackets: [
    ['{', '}'],
    ['[', ']'],
  ],
  autoClosingPairs: [
    { open: '{', close: '}' },
    { open: '[', close: ']' },
    { open: '"', close: '"', notIn: ['string'] },
  ],
})
monaco.languages.setMonarchTokensProvider(jsonLanguage, {
  tokenizer: {
    root: [
      [/"(?:[^"\\]|\\.)*"(?=\s*:)/, 'identifier'],
      [/"(?:[^"\\]|\\.)*"?/, 'string'],
      [/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/, 'number'],
      [/\b(?:true|false|null)\b/, 'keyword'],
      [/[{}[\],:]/, 'delimiter'],
    ],
  },
})
