import { Braces } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Badge } from '../../../ui/text/Badge.tsx'
import { bytesText } from '../../../ui/text/bytes.ts'
import { CopyButton } from '../../../ui/controls/CopyButton.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { GraphqlText } from './GraphqlText.tsx'
import type { TextBox } from './text-box.ts'
import { WrongVariables, type Result } from './use-graphql-run.ts'

type Props = {
  result: Result | undefined
  error: Error | null
  running: boolean
  onRetry: () => void
}

/** What the API answered, as it came. */
export function ResultPane({ result, error, running, onRetry }: Props) {
  const box = useRef<TextBox>(undefined)
  const text = result?.text
  useEffect(() => {
    if (text !== undefined) box.current?.write(text)
  }, [text])
  return (
    <section className="gq-result" aria-label="Answer" aria-busy={running || undefined}>
      {error instanceof WrongVariables ? (
        <p className="gq-wrong" role="alert">
          {error.message}
        </p>
      ) : error ? (
        <ErrorNote what="answer" error={error} onRetry={onRetry} />
      ) : result ? (
        <>
          <div className="bar gq-foot">
            <Badge tone={result.failed ? 'danger' : 'success'}>
              {result.failed ? 'Errors' : 'Answer'}
            </Badge>
            <span className="t12 muted tn">
              {Math.round(result.ms)} ms · {bytesText(result.text.length)}
            </span>
            <span className="grow" />
            <CopyButton text={result.text} what="answer" />
          </div>
          <GraphqlText
            ref={(made) => {
              box.current = made ?? undefined
            }}
            language="json"
            label="Answer"
            text={result.text}
            readOnly
          />
        </>
      ) : (
        <EmptyState icon={Braces} title="No answer yet">
          Run a document to see what the API answers.
        </EmptyState>
      )}
    </section>
  )
}
