/** Stands where a chart cannot be drawn: an old browser, or its code could not be fetched. */
export function NoChart({ height }: { height: number }) {
  return (
    <p className="grid place-items-center px-4 text-center text-sm text-ink-soft" style={{ height }}>
      Grafik tidak bisa digambar di browser ini. Angkanya ada di tabel.
    </p>
  )
}
