/** Something is going on and nobody knows how long. */
export function Progress({ label }: { label: string }) {
  return (
    <div className="progress">
      <progress className="sr" aria-label={label} />
    </div>
  )
}
