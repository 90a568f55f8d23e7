import type { languages } from 'monaco-editor/esm/vs/editor/editor.api.js'

/** How the HTML of a mail is drawn, with the variables of its template. */
export const htmlGrammar: languages.IMonarchLanguage = {
  defaultToken: '',
  tokenPostfix: '.html',
  ignoreCase: true,
  tokenizer: {
    root: [
      [/\{\{/, 'predefined', '@variable'],
      [/<!--/, 'comment', '@comment'],
      [/<!doctype[^>]*>/, 'comment'],
      [/(<\/?)([a-z][\w-]*)/, ['delimiter', { token: 'keyword', next: '@tag' }]],
      [/&\w+;|&#\d+;/, 'number'],
      [/[^<&{]+/, ''],
      [/./, ''],
    ],
    variable: [
      [/\}\}/, 'predefined', '@pop'],
      [/[^}]+/, 'predefined'],
      [/./, 'predefined'],
    ],
    comment: [
      [/-->/, 'comment', '@pop'],
      [/[^-]+/, 'comment'],
      [/./, 'comment'],
    ],
    tag: [
      [/\/?>/, 'delimiter', '@pop'],
      [/"/, 'string', '@double'],
      [/'/, 'string', '@single'],
      [/[a-z-]+/, 'identifier'],
      [/[=\s]+/, 'delimiter'],
      [/./, ''],
    ],
    double: [
      [/\{\{/, 'predefined', '@variable'],
      [/[^"{]+/, 'string'],
      [/"/, 'string', '@pop'],
      [/./, 'string'],
    ],
    single: [
      [/\{\{/, 'predefined', '@variable'],
      [/[^'{]+/, 'string'],
      [/'/, 'string', '@pop'],
      [/./, 'string'],
    ],
  },
}
