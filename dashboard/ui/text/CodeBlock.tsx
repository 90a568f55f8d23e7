import { Fragment } from 'react'
import { type Language, highlight } from './highlight.ts'
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
