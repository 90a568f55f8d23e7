import type { languages } from 'monaco-editor/esm/vs/editor/editor.api.js'
import { keywords } from './sql-words.ts'

/** Of PL/pgSQL, which only mean something in the body of a function. */
const bodyWords =
  /(?:alias|assert|call|close|constant|continue|declare|diagnostics|elseif|elsif|exception|execute|exit|fetch|foreach|get|if|info|loop|next|notice|open|perform|query|raise|return|reverse|slice|stacked|strict|warning|while)(?![\w$])/

/** How SQL of Postgres is drawn: dollar quotes, E'' strings and nested comments included. */
export const sqlGrammar: languages.IMonarchLanguage = {
  defaultToken: '',
  tokenPostfix: '.pgsql',
  ignoreCase: true,
  unicode: true,
  keywords: [...keywords],
  tokenizer: {
    root: [
      [/--.*$/, 'comment'],
      [/\/\*/, 'comment', '@comment'],
      [/(::)(\s*)([a-z_]\w*)/, ['delimiter', '', 'keyword']],
      [/e'/, 'string', '@escapes'],
      [/'/, 'string', '@quote'],
      [/"/, 'identifier', '@name'],
      [/\$[a-z_]\w*\$|\$\$/, { token: 'delimiter.dollar', next: '@dollar.$0' }],
      [/\d[\w.]*|\.\d\w*/, 'number'],
      // In `f(` the word is a function, unless it is one like IN or VALUES.
      [
        /[\p{L}_][\p{L}\p{N}_$]*(?=\s*\()/u,
        { cases: { '@keywords': 'keyword', '@default': 'predefined' } },
      ],
      [/[\p{L}_][\p{L}\p{N}_$]*/u, { cases: { '@keywords': 'keyword', '@default': 'identifier' } }],
      [/[()[\]{}]/, '@brackets'],
      [/\s+/, 'white'],
      [/./, 'delimiter'],
    ],
    comment: [
      [/[^*/]+/, 'comment'],
      [/\/\*/, 'comment', '@push'],
      [/\*\//, 'comment', '@pop'],
      [/./, 'comment'],
    ],
    quote: [
      [/[^']+/, 'string'],
      [/''/, 'string'],
      [/'/, 'string', '@pop'],
    ],
    escapes: [
      [/[^'\\]+/, 'string'],
      [/\\.|''/, 'string'],
      [/'/, 'string', '@pop'],
    ],
    name: [
      [/[^"]+/, 'identifier'],
      [/""/, 'identifier'],
      [/"/, 'identifier', '@pop'],
    ],
    // Nearly always the body of a function. Nothing in it outlasts its end, not even an open string or comment.
    dollar: [
      [
        /\$\w*\$/,
        {
          cases: {
            '$0==$S2': { token: 'delimiter.dollar', next: '@pop' },
            '@default': 'delimiter.dollar',
          },
        },
      ],
      [/--(?:[^$\n]|\$(?!\w*\$))*/, 'comment'],
      [/\/\*(?:[^$*\n]|\$(?!\w*\$)|\*(?!\/))*(?:\*\/)?/, 'comment'],
      [/e?'(?:[^'$\n]|''|\$(?!\w*\$))*'?/, 'string'],
      [/"(?:[^"$\n]|""|\$(?!\w*\$))*"?/, 'identifier'],
      [bodyWords, 'keyword'],
      { include: '@root' },
    ],
  },
}

const pairs = ['()', '[]', '{}', "''", '""'].map((pair) => ({
  open: pair.charAt(0),
  close: pair.charAt(1),
}))

export const sqlConfiguration: languages.LanguageConfiguration = {
  comments: { lineComment: '--', blockComment: ['/*', '*/'] },
  brackets: [
    ['(', ')'],
    ['[', ']'],
    ['{', '}'],
  ],
  autoClosingPairs: pairs.map((pair) => ({ ...pair, notIn: ['string', 'comment'] })),
  surroundingPairs: pairs,
}

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
