/** A usual source for `arc check`, of about so many lines: functions with loops of both languages. */
export function usual(lines, includes = ["double sqrt(double);"]) {
  const text = [...includes];
  for (let k = 0; text.length < lines; k++)
    text.push(
      ...`double f${k}(double *a, const double *b, int n, int m) {
  double s = 0, t;
#pragma omp parallel for reduction(+:s) private(t)
  for (int i = 1; i < n - 1; i++) {
    t = b[i - 1] + b[i + 1];
    a[i] = 0.5 * t + sqrt(b[i]);
    s += a[i];
  }
#pragma acc parallel loop collapse(2) copy(a[0:n*m]) copyin(b[0:n*m])
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      a[i * m + j] = 0.25 * (b[i * m + j - 1] + b[i * m + j + 1] + b[(i - 1) * m + j] + b[(i + 1) * m + j]);
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < n; i++)
      a[i] = a[i] * s;
#pragma omp for
    for (int i = 0; i < n; i++)
      a[n - 1 - i] += b[i];
  }
  return s;
}`.split("\n"),
    );
  return text.join("\n");
}
