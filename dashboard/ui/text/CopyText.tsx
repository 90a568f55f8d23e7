import { CopyButton } from '../controls/CopyButton.tsx'

type Props = { text: string; what: string; label?: string }

/** An id, URL or connection string in a box, with a copy button. */
export function CopyText({ text, what, label }: Props) {
  return (
    <div className="in f mono secret ends">
      {label && <span className="faint">{label}</span>}
      <span className="grow ell">{text}</span>
      <CopyButton text={text} what={what} />
    </div>
  )
}
