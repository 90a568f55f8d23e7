import { FileUp } from 'lucide-react'
import { bytesText } from '../../../../ui/text/bytes.ts'
import { Icon } from '../../../../ui/Icon.tsx'

type Props = {
  label: string
  accept: string
  file: File | undefined
  problem: string | undefined
  onFile: (file: File) => void
}

/** Chooses one file, or takes the one that is dropped on it. */
export function FileChoiceField({ label, accept, file, problem, onFile }: Props) {
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- dropping a file; the field inside does the same by keyboard */}
      <label
        className="sql-drop"
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault()
          const [dropped] = event.dataTransfer.files
          if (dropped) onFile(dropped)
        }}
      >
        <Icon of={FileUp} />
        <span>{file ? `${file.name}, ${bytesText(file.size)}` : label}</span>
        <span className="muted t12">or drop it here</span>
        <input
          type="file"
          className="sr"
          accept={accept}
          onChange={({ target: { files } }) => {
            const [chosen] = files ?? []
            if (chosen) onFile(chosen)
          }}
        />
      </label>
      {problem !== undefined && (
        <p className="err" role="alert">
          {problem}
        </p>
      )}
    </>
  )
}
