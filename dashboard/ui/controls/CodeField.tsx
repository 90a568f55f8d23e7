import { useCallback, useEffect, useRef } from 'react'
import type { CodeBox, CodeLanguage } from '../code/code-box.ts'
import type { Program } from '../code/typescript-program.ts'
import type { CodeDialect, CodeWord } from '../code/offer-words.ts'
import { useCodeBox } from '../code/use-code-box.ts'
import { cx } from '../cx.ts'
import { Field, type ControlProps, type FieldProps } from './Field.tsx'
import { Skeleton } from '../Skeleton.tsx'
import '../code/code-field.css'

type Props = Omit<FieldProps, 'label'> & {
  label: string
  value: string
  onValue: (text: string) => void
  language?: CodeLanguage
  /** Told of the editor once it is there, for what is put into the text from outside. */
  onBox?: (box: CodeBox | undefined) => void
  placeholder?: string
  readOnly?: boolean
  /** Lines that there is always room for, and the most before it scrolls; `fill`: as high as `--code-height` says. */
  lines?: readonly [least: number, max: number] | 'fill'
  /** A long text: lines have numbers, and Tab indents (Ctrl+M lets it leave). In a short one Tab goes on. */
  isProgram?: boolean
  /** Where the text stands in a program, when what it means is known; undefined: it is only coloured. */
  file?: (() => Promise<ReturnType<Program['fileAt']> | undefined>) | undefined
  /** Names to offer while somebody types. */
  words?: () => Promise<readonly CodeWord[]>
  /** Another SQL than that of Postgres. */
  dialect?: CodeDialect
}

const none = () => Promise.resolve([])

/** Code as a field of a form, SQL unless told: coloured, completed and as high as its text. Its editor is loaded when the first one is shown. */
export function CodeField({ label, help, error, labelEnd, ...rest }: Props) {
  return (
    <Field label={label} help={help} error={error} labelEnd={labelEnd}>
      {(control) => <Box label={label} control={control} {...rest} />}
    </Field>
  )
}

type BoxProps = Omit<Props, keyof FieldProps> & { label: string; control: ControlProps }

function Box({ label, control, ...props }: BoxProps) {
  const { value, onValue, placeholder = '', readOnly = false, words = none } = props
  const { lines = [3, 10], isProgram = false, language = 'sql', file, dialect, onBox } = props
  // The editor lives longer than one render: it always has the newest of what may change.
  const latest = useRef({ value, onValue, words, file, dialect })
  useEffect(() => {
    latest.current = { value, onValue, words, file, dialect }
  })
  const fills = lines === 'fill'
  const [least, max] = fills ? [16, 16] : lines
  const load = useCallback(async () => {
    const [{ createCodeBox }, place] = await Promise.all([
      import('../code/code-box.ts'),
      latest.current.file?.(),
    ])
    return (around: HTMLElement) =>
      createCodeBox(around, {
        text: latest.current.value,
        language,
        file: place,
        label,
        placeholder,
        readOnly,
        isProgram,
        lines: fills ? 'fill' : [least, max],
        onText: (text) => latest.current.onValue(text),
        words: () => latest.current.words(),
        dialect: () => latest.current.dialect,
      })
  }, [label, placeholder, readOnly, isProgram, language, fills, least, max])
  const { element, box, failure } = useCodeBox<CodeBox>(load)
  useEffect(() => onBox?.(box), [box, onBox])
  useEffect(() => box?.write(value), [box, value])
  const { id, 'aria-describedby': note, 'aria-invalid': invalid } = control
  useEffect(
    () =>
      box?.describe({
        id,
        'aria-describedby': note,
        'aria-invalid': invalid ? 'true' : undefined,
      }),
    [box, id, note, invalid],
  )
  return (
    <div
      className={cx('in f area code-field', isProgram && 'program', fills && 'fills')}
      aria-invalid={invalid}
    >
      {failure ? (
        // What cannot be loaded, as without a network, must not keep anyone from writing.
        <textarea
          className="mono"
          rows={least}
          spellCheck={false}
          {...control}
          {...{ value, placeholder, readOnly }}
          onChange={(event) => onValue(event.target.value)}
        />
      ) : (
        <div ref={element} className="code-field-box" style={{ '--lines': least }} />
      )}
      {!failure && !box && (
        <div className="code-field-wait" aria-busy>
          <progress className="sr" aria-label="Loading the editor" />
          <Skeleton width="60%" />
        </div>
      )}
    </div>
  )
}
