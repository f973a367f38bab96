// A device tells its name, vendor, driver and memory.
// arc: no-region
#include "check.h"
#include <openacc.h>
#include <string.h>

int main(void) {
  acc_device_t type = acc_get_device_type();
  int number = acc_get_device_num(type);
  const char *name = acc_get_property_string(number, type, acc_property_name);
  const char *vendor = acc_get_property_string(number, type, acc_property_vendor);
  const char *driver = acc_get_property_string(number, type, acc_property_driver);
  EXPECT(name && strlen(name) > 0, 1);
  /* What a device does not know is NULL. */
  EXPECT(!vendor || strlen(vendor) > 0, 1);
  EXPECT(!driver || strlen(driver) > 0, 1);
  size_t memory = acc_get_property(number, type, acc_property_memory);
  size_t free_memory = acc_get_property(number, type, acc_property_free_memory);
  EXPECT(memory == 0 || free_memory <= memory, 1);
  return report();
}
