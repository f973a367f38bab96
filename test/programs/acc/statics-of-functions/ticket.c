#pragma acc routine seq
int ticket(int by);

int ticket(int by) {
  static int given = 7;
  int mine;
#pragma acc atomic capture
  {
    given += by;
    mine = given;
  }
  return mine;
}
