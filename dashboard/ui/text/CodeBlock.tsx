import { Fragment } from 'react'
import { CopyButton } from '../controls/CopyButton.tsx'

type Props = { code: string; language: Language; what?: string }

/** Code to read and copy. */
export function CodeBlock({ code, language, what = 'code' }: Props) {
  return (
    <div className="well codeblock">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls must be reachable */}
      <pre className="code" tabIndex={0} aria-label={what}>
        {highlight(code, language).map(({ text, kind, at }) =>
          kind ? (
            <span key={at} className={kind}>
              {text}
            </span>
          ) : (
            <Fragment key={at}>{text}</Fragment>
          ),
        )}
      </pre>
      <CopyButton text={code} what={what} />
    </div>
  )
}

export type Language = 'js' | 'sql' | 'text'

/** A run of code; `kind` is the class of ui.css: k keyword, s string, n number, f function, c comment. */
export type Run = { text: string; kind?: 'k' | 's' | 'n' | 'f' | 'c'; at: number }

const keywords = {
  js: 'import|from|const|let|await|async|return|if|else|new|export|function|for|of|throw|null|true|false|undefined',
  sql: 'select|from|where|insert|into|values|update|set|delete|create|table|alter|policy|on|for|to|using|with|check|primary|key|references|default|null|not|and|or|as|order|by|limit|returning|grant|enable|row|level|security',
}

/** Colours short snippets: strings, comments, numbers, keywords and calls, by one regular expression. */
export function highlight(code: string, language: Language): Run[] {
  if (language === 'text') return [{ text: code, at: 0 }]
  const comment = language === 'js' ? String.raw`\/\/[^\n]*` : '--[^\\n]*'
  const pattern = new RegExp(
    `(?<c>${comment})|(?<s>'(?:[^'\\\\]|\\\\.)*'|"[^"]*"|\`[^\`]*\`)|(?<n>\\b\\d+(?:\\.\\d+)?\\b)|(?<k>\\b(?:${keywords[language]})\\b)|(?<f>\\b\\w+(?=\\())`,
    language === 'sql' ? 'gi' : 'g',
  )
  const runs: Run[] = []
  let from = 0
  for (const match of code.matchAll(pattern)) {
    if (match.index > from) runs.push({ text: code.slice(from, match.index), at: from })
    const kind = (['c', 's', 'n', 'k', 'f'] as const).find((name) => match.groups?.[name])
    runs.push({ text: match[0], at: match.index, ...(kind ? { kind } : {}) })
    from = match.index + match[0].length
  }
  if (from < code.length) runs.push({ text: code.slice(from), at: from })
  return runs
}
