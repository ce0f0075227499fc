/** 'A · B · C'. Where they need two lines, they break between two facts, and the dot that would begin a line is cut off. */
export function FactLine({ facts }: { facts: readonly string[] }) {
  return (
    <span className="mt-0.5 block overflow-hidden text-xs text-ink-soft tabular-nums">
      <span className="-ml-2.5 flex flex-wrap">
        {facts.map((fact, index) => (
          <span key={fact} className="relative pl-2.5 whitespace-nowrap">
            {index > 0 && <span className="absolute left-0 w-2.5 text-center whitespace-pre"> · </span>}
            {fact}
          </span>
        ))}
      </span>
    </span>
  )
}
