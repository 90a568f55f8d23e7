import { useEffect } from 'react'

type Props = { name: string; leaving: string }

/** Who has let this app in before is not asked again: the browser goes back to the app at once. */
export function ConsentAgreed({ name, leaving }: Props) {
  useEffect(() => location.replace(leaving), [leaving])
  return (
    <>
      <h1>Back to {name}</h1>
      <p className="muted t14">
        You have authorized this app before.{' '}
        <a className="link" href={leaving}>
          Continue
        </a>
      </p>
    </>
  )
}
